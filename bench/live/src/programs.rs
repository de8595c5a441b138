//! The programs, once for each tool: the same text over another tool's types.

/// Writes the programs for one tool.
macro_rules! programs {
    ($tool:ident, $thread:path, $atomic:path, $sync:path) => {
        pub mod $tool {
            use $atomic as atomic;
            use $sync as sync;
            use $thread as thread;
            use atomic::{AtomicUsize, Ordering::SeqCst};
            use sync::{Arc, Mutex};

            fn variables(count: usize) -> Arc<Vec<AtomicUsize>> {
                Arc::new((0..count).map(|_| AtomicUsize::new(0)).collect())
            }

            fn threads(count: usize, f: impl Fn(usize) + Send + Sync + 'static) {
                let f = Arc::new(f);
                let handles: Vec<_> = (0..count)
                    .map(|number| {
                        let f = Arc::clone(&f);
                        thread::spawn(move || f(number))
                    })
                    .collect();
                for handle in handles {
                    handle.join().unwrap();
                }
            }

            /// The program with this name and so many threads; `false` if there is none.
            pub fn run(name: &str, n: usize) -> bool {
                match name {
                    "indep" => {
                        let x = variables(n);
                        threads(n, move |me| x[me].store(1, SeqCst));
                    }
                    "incr" => {
                        let x = variables(1);
                        threads(n, move |_| {
                            x[0].fetch_add(1, SeqCst);
                        });
                    }
                    "binc" => {
                        let x = variables(2);
                        threads(n, move |_| {
                            x[0].fetch_add(1, SeqCst);
                            x[1].fetch_add(1, SeqCst);
                        });
                    }
                    "load-store" => {
                        let x = variables(1);
                        threads(n, move |_| {
                            let seen = x[0].load(SeqCst);
                            x[0].store(seen + 1, SeqCst);
                        });
                    }
                    "lastzero" => {
                        let a = variables(n);
                        threads(n, move |me| {
                            if me == 0 {
                                let mut i = n - 1;
                                while a[i].load(SeqCst) != 0 {
                                    i -= 1;
                                }
                            } else {
                                let seen = a[me - 1].load(SeqCst);
                                a[me].store(seen + 1, SeqCst);
                            }
                        });
                    }
                    "ring" => {
                        let x = variables(n);
                        threads(n, move |me| {
                            x[me].store(1, SeqCst);
                            x[(me + 1) % n].load(SeqCst);
                        });
                    }
                    "counter" => {
                        let count = Arc::new(Mutex::new(0));
                        threads(n, move |_| {
                            let mut guard = count.lock().unwrap();
                            *guard += 1;
                        });
                    }
                    "philosophers" => {
                        let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..n).map(|_| Mutex::new(())).collect());
                        threads(n, move |me| {
                            let (left, right) = (me, (me + 1) % n);
                            let _first = forks[left.min(right)].lock().unwrap();
                            let _second = forks[left.max(right)].lock().unwrap();
                        });
                    }
                    _ => return false,
                }
                true
            }
        }
    };
}

programs!(mazurka, mazurka_live::thread, mazurka_live::sync::atomic, mazurka_live::sync);
programs!(loom, loom::thread, loom::sync::atomic, loom::sync);
programs!(shuttle, shuttle::thread, shuttle::sync::atomic, shuttle::sync);
