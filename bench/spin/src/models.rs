//! What is compared: models of the installed `spin` package, read where they are installed and changed in a temporary
//! copy, and models of our own.

use std::path::{Path, PathBuf};

/// A model and what is to be changed in it.
pub struct Model {
    /// Its name in the table.
    pub name: &'static str,
    file: File,
    /// Lines `#define NAME VALUE` that get another value.
    defines: &'static [(&'static str, u32)],
    /// Whether it is searched without reduction; some have too many states for that.
    pub full: bool,
    /// Whether it is searched with reduction.
    pub reduced: bool,
}

enum File {
    /// Below the folder of SPIN's examples.
    Package(&'static str),
    /// Below `testdata/`.
    Own(&'static str),
}

const fn package(
    name: &'static str,
    file: &'static str,
    defines: &'static [(&'static str, u32)],
    full: bool,
    reduced: bool,
) -> Model {
    Model { name, file: File::Package(file), defines, full, reduced }
}

const fn own(name: &'static str, file: &'static str, defines: &'static [(&'static str, u32)]) -> Model {
    Model { name, file: File::Own(file), defines, full: true, reduced: true }
}

/// The models.
pub const MODELS: &[Model] = &[
    package("dtp", "dtp.pml", &[], true, true),
    package("LTL/leader, N=5", "LTL/leader.pml", &[("N", 5), ("L", 10)], true, true),
    package("LTL/pftp", "LTL/pftp.pml", &[], true, true),
    package("LTL/pftp, QSZ=3, DUPS=1", "LTL/pftp.pml", &[("QSZ", 3), ("DUPS", 1)], false, true),
    package("LTL/petersonN, N=4", "LTL/petersonN.pml", &[("N", 4)], true, true),
    package("sort, N=8", "sort.pml", &[("N", 8)], true, true),
    own("brp", "algorithms/brp.pml", &[]),
    own("telephony", "algorithms/telephony.pml", &[]),
    own("elevator", "algorithms/elevator.pml", &[]),
    own("firewire", "algorithms/firewire.pml", &[]),
    own("lamport", "algorithms/lamport.pml", &[]),
    own("production_cell", "algorithms/production_cell.pml", &[]),
];

impl Model {
    /// Writes the model, changed as it is to be, into a folder; gives the path.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, String> {
        let path = match self.file {
            File::Package(file) => Path::new("/usr/share/doc/spin/examples/Examples").join(file),
            File::Own(file) => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(file),
        };
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut changed = String::new();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let known = match (words.next(), words.next()) {
                (Some("#define"), Some(name)) => self.defines.iter().find(|(other, _)| *other == name),
                _ => None,
            };
            match known {
                Some((name, value)) => changed += &format!("#define {name} {value}\n"),
                None => changed = changed + line + "\n",
            }
        }
        let target = folder.join("model.pml");
        std::fs::write(&target, changed).map_err(|error| error.to_string())?;
        Ok(target)
    }
}
