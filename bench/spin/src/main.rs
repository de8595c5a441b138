//! `cargo run --release -p bench-spin`: Mazurka beside SPIN on the same Promela models.
//!
//! Needs `spin` (6.5.2) with its examples, `gcc`, and a release build of Mazurka. The tools alternate, the first round is
//! discarded, and the table shows medians. Seconds are processor time; a search with two threads (`--threads 2`, SPIN's with
//! `-DNCORE=2`) is compared by the wall. `--collapse yes` lets SPIN compress its states (`-DCOLLAPSE`), for the memory of both.
//! `--json FILE` and `--svg FILE` write the same in other forms.

mod measure;
mod models;
mod plot;
mod table;
mod tools;

use models::MODELS;
use std::path::PathBuf;
use std::process::ExitCode;
use table::Row;
use tools::Search;

const USAGE: &str = "usage: bench-spin [--rounds N] [--only TEXT] [--threads N] [--collapse yes|no] [--search full|reduced] [--mazurka BINARY] [--json FILE] [--svg FILE]";

struct Options {
    rounds: usize,
    only: Option<String>,
    threads: u32,
    collapse: bool,
    search: Option<Search>,
    binary: PathBuf,
    json: Option<PathBuf>,
    svg: Option<PathBuf>,
}

fn options() -> Result<Options, String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut options = Options {
        rounds: 4,
        only: None,
        threads: 1,
        collapse: false,
        search: None,
        binary: root.join("target/release/mazurka"),
        json: None,
        svg: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{option}: a value is missing\n{USAGE}"))?;
        let number = || value.parse::<u32>().map_err(|_| format!("{option}: {value} is no number\n{USAGE}"));
        match option.as_str() {
            "--rounds" => options.rounds = number()?.max(2) as usize,
            "--threads" => options.threads = number()?.max(1),
            "--collapse" => options.collapse = value == "yes",
            "--search" => {
                let known = [Search::Full, Search::Reduced].into_iter().find(|search| search.name() == value);
                options.search = Some(known.ok_or_else(|| format!("{option}: {value}\n{USAGE}"))?);
            }
            "--only" => options.only = Some(value),
            "--mazurka" => options.binary = value.into(),
            "--json" => options.json = Some(value.into()),
            "--svg" => options.svg = Some(value.into()),
            _ => return Err(format!("{option} is unknown\n{USAGE}")),
        }
    }
    options.binary = options.binary.canonicalize().map_err(|error| {
        format!("{}: {error}; build it with cargo build --release", options.binary.display())
    })?;
    Ok(options)
}

/// Measures every model.
fn measure(options: &Options) -> Result<Vec<Row>, String> {
    let folder = std::env::temp_dir().join(format!("bench-spin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let binary = options.binary.to_string_lossy().into_owned();
    let mut rows = Vec::new();
    for model in MODELS {
        if options.only.as_ref().is_some_and(|only| !model.name.contains(only.as_str())) {
            continue;
        }
        let path = model.write(&folder)?;
        let path = path.to_string_lossy();
        for search in [Search::Full, Search::Reduced] {
            let unwanted = options.search.is_some_and(|wanted| wanted != search);
            let unfit = if search == Search::Full { !model.full } else { !model.reduced };
            if unwanted || unfit {
                continue;
            }
            let (mut theirs, mut ours) = (Vec::new(), Vec::new());
            for round in 0..options.rounds {
                eprintln!("{} ({}), round {round}", model.name, search.name());
                let their = tools::spin(&folder, &path, search, options.threads, options.collapse)?;
                let our = tools::mazurka(&binary, &folder, &path, search, options.threads)?;
                if search == Search::Full && their.states != our.states {
                    return Err(format!(
                        "{}: SPIN stores {} states, Mazurka {}",
                        model.name, their.states, our.states
                    ));
                }
                if round > 0 {
                    theirs.push(their);
                    ours.push(our);
                }
            }
            rows.push(Row::new(model.name, search, options.threads, &theirs, &ours));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(rows)
}

fn main() -> ExitCode {
    let done = options().and_then(|options| {
        let rows = measure(&options)?;
        print!("{}", table::markdown(&rows));
        if let Some(file) = &options.json {
            let text = serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())?;
            std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        if let Some(file) = &options.svg {
            std::fs::write(file, plot::svg(&rows)).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        Ok(())
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
