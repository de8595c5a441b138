//! Objects of the object library that a program declares.

use super::program::Program;
use mazurka_model::object::ObjectType;
use mazurka_model::source::Span;

/// Which object, with its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {}

impl ObjectKind {
    /// Words that declare an object.
    pub const KEYWORDS: &'static [&'static str] = &[];
    /// Not used yet.
    pub fn parse(keyword: &str, _parameters: &[i32]) -> Result<ObjectKind, String> {
        Err(format!("no object {keyword}"))
    }
    /// Not used yet.
    pub fn check(&self) -> Result<(), String> {
        match *self {}
    }
    /// Not used yet.
    pub fn instantiate(&self) -> Box<dyn ObjectType> {
        match *self {}
    }
    /// Not used yet.
    pub fn words(&self, _program: &Program) -> u32 {
        match *self {}
    }
    /// Not used yet.
    pub fn is_counted(&self) -> bool {
        match *self {}
    }
    /// Not used yet.
    pub fn declaration(&self, _name: &str) -> String {
        match *self {}
    }
}

/// A declared object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// Where it is declared.
    pub span: Span,
}
