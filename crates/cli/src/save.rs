//! Where counterexamples are saved. Nothing but an older trail is ever overwritten.

use crate::failure::Failure;
use mazurka_engine::checkpoint::file::is_checkpoint;
use mazurka_report::{Trail, trail};
use std::fs;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The trails beyond this many errors are not saved: a directory full of files helps no one.
const AT_MOST: usize = 100;

/// The files that the trails of one run go to.
pub struct Trails {
    first: PathBuf,
    model: String,
}

impl Trails {
    /// Decides where to save: at `asked`, or after the name of the model in the current directory.
    /// A place that was asked for is looked at before the search, which may take long.
    pub fn new(model: &Path, asked: Option<&Path>) -> Result<Trails, Failure> {
        let Some(asked) = asked else {
            let mut name = model.file_name().unwrap_or_default().to_owned();
            name.push(".trail");
            return Ok(Trails { first: PathBuf::from(name), model: model.to_string_lossy().into_owned() });
        };
        Trails::at("--trail", model, asked)
    }

    /// Saves at `asked`, as the user said with `option`.
    pub fn at(option: &str, model: &Path, asked: &Path) -> Result<Trails, Failure> {
        let shown = asked.display();
        let directory = directory_of(asked);
        if !directory.is_dir() {
            let message = format!("{option} {shown}: there is no directory {}", directory.display());
            return Err(Failure::usage(message));
        }
        free(asked).map_err(|message| Failure::usage(format!("{option} {message}")))?;
        // A relative path is looked for from the directory of the trail, wherever that is.
        let model = std::path::absolute(model).unwrap_or_else(|_| model.to_owned());
        Ok(Trails { first: asked.to_owned(), model: model.to_string_lossy().into_owned() })
    }

    /// The path of the model as the trails record it.
    pub fn model_path(&self) -> &str {
        &self.model
    }

    /// Saves the trail of error `index`, from 0, and says where; `None` if there are too many.
    pub fn save(&self, index: usize, trail: &Trail) -> Result<Option<String>, String> {
        // Beside a device (`/dev/null`, say) nobody wants files.
        let device = || fs::metadata(&self.first).is_ok_and(|metadata| !metadata.is_file());
        if index >= AT_MOST || index > 0 && device() {
            return Ok(None);
        }
        let path = numbered(&self.first, index);
        let shown = path.display();
        free(&path)?;
        let write = || -> std::io::Result<()> {
            let mut out = BufWriter::new(fs::File::create(&path)?);
            trail.write(&mut out)?;
            out.flush()
        };
        write().map_err(|error| format!("{shown}: {error}"))?;
        Ok(Some(path.to_string_lossy().into_owned()))
    }
}

/// Looks at what the user named for a checkpoint before the search, which may take long. Nothing but an older checkpoint
/// is overwritten.
pub fn checkpoint(path: &Path) -> Result<(), Failure> {
    let wrong = |message: String| Err(Failure::usage(format!("--checkpoint {}: {message}", path.display())));
    let directory = directory_of(path);
    if !directory.is_dir() {
        return wrong(format!("there is no directory {}", directory.display()));
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => wrong("this is a directory".to_owned()),
        Ok(metadata) if metadata.is_file() && metadata.len() > 0 && !is_checkpoint(path) => {
            wrong("this file exists and is no checkpoint; it is not overwritten".to_owned())
        }
        _ => Ok(()),
    }
}

/// Draws into a file that the user named with `option`. Only a drawing is overwritten.
pub fn drawing(
    option: &str,
    path: &Path,
    draw: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let wrong = |message: String| Failure::usage(format!("{option} {}: {message}", path.display()));
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(wrong("this is a directory".to_owned())),
        Ok(metadata) if metadata.is_file() && metadata.len() > 0 => {
            let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
            if !bytes.starts_with(b"<svg") {
                return Err(wrong("this file exists and is no drawing; it is not overwritten".to_owned()));
            }
        }
        Ok(_) | Err(_) => {}
    }
    let mut write = || {
        let mut out = BufWriter::new(fs::File::create(path)?);
        draw(&mut out)?;
        out.flush()
    };
    write().map_err(|error| wrong(error.to_string()))
}

/// The directory that a file lies in.
pub fn directory_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// `x.trail`, `x.2.trail`, `x.3.trail`, and so on.
fn numbered(first: &Path, index: usize) -> PathBuf {
    if index == 0 {
        return first.to_owned();
    }
    let mut name = match first.extension() {
        Some(extension) if extension == "trail" => first.with_extension("").into_os_string(),
        _ => first.as_os_str().to_owned(),
    };
    name.push(format!(".{}.trail", index + 1));
    PathBuf::from(name)
}

/// Whether a trail may be written to `path`: there is nothing yet, an older trail, or something that
/// is not a file with content (`/dev/null`).
fn free(path: &Path) -> Result<(), String> {
    let shown = path.display();
    let failed = |error: std::io::Error| format!("{shown}: {error}");
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(error)),
        Ok(metadata) if metadata.is_dir() => Err(format!("{shown}: this is a directory")),
        Ok(metadata) if !metadata.is_file() || metadata.len() == 0 => Ok(()),
        Ok(_) => {
            let bytes = fs::read(path).map_err(failed)?;
            if trail::looks_like_trail(&String::from_utf8_lossy(&bytes)) {
                Ok(())
            } else {
                Err(format!("{shown}: this file exists and is no trail; it is not overwritten"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_errors_are_numbered() {
        assert_eq!(numbered(Path::new("a/x.mzk.trail"), 0), Path::new("a/x.mzk.trail"));
        assert_eq!(numbered(Path::new("a/x.mzk.trail"), 1), Path::new("a/x.mzk.2.trail"));
        assert_eq!(numbered(Path::new("out"), 2), Path::new("out.3.trail"));
    }
}
