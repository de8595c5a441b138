//! Two transfers that lock two accounts in different orders: the deadlock, as it is shown.
//! `cargo run -p mazurka-live --example bank`; with the argument `-i`, you choose the steps.

use mazurka_live::sync::Mutex;
use mazurka_live::{Checker, thread};
use std::sync::Arc;

fn transfers() {
    let accounts = Arc::new([Mutex::new(10), Mutex::new(10)]);
    let other = Arc::clone(&accounts);
    let thread = thread::spawn(move || {
        let (mut to, mut from) = (other[1].lock().unwrap(), other[0].lock().unwrap());
        *from -= 1;
        *to += 1;
    });
    let (mut to, mut from) = (accounts[0].lock().unwrap(), accounts[1].lock().unwrap());
    *from -= 1;
    *to += 1;
    drop((to, from));
    thread.join().unwrap();
}

fn main() -> std::io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("-i") {
        return Checker::new().simulate(transfers, &mut std::io::stdin().lock(), &mut std::io::stdout());
    }
    println!("{}", Checker::new().run(transfers));
    Ok(())
}
