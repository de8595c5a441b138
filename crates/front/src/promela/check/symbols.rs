//! The symbol table: what the names of a model mean.

use super::super::ast::{Name, Reference, ReferenceId, VariableId, Visibility};
use super::super::token::{ExpansionKind, Expansions, Origin, Place, Text};
use std::collections::HashMap;

/// An entry of the table.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolId(pub u32);

/// A user-defined type.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructureId(pub u32);

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned` with its width in bits.
    Unsigned(u8),
    /// `mtype` with its subtype.
    Mtype(Option<Text>),
    /// `chan`
    Chan,
    /// A typedef.
    Structure(StructureId),
}

impl Type {
    /// The smallest and largest value, for types of numbers.
    pub fn range(&self) -> Option<(i64, i64)> {
        Some(match self {
            Type::Bit | Type::Bool => (0, 1),
            Type::Byte | Type::Pid | Type::Mtype(_) => (0, 255),
            Type::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Type::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Type::Unsigned(width) => (0, (1_i64 << (*width).min(31)) - 1),
            Type::Chan | Type::Structure(_) => return None,
        })
    }
}

/// A typedef.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its name.
    pub name: Text,
    /// Its fields.
    pub fields: Vec<Field>,
    /// How many simple values it holds, arrays and inner structures included.
    pub width: usize,
}

/// A field of a typedef.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Text,
    /// Its type.
    pub kind: Type,
    /// Its length, if it is an array.
    pub length: Option<u32>,
    /// Where it is declared.
    pub place: Place,
    /// The declaration, with the initialiser.
    pub variable: VariableId,
}

/// Variables that every model has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Predefined {
    /// `_`: a place to throw values away.
    Scratch,
    /// `_pid`: the number of this process.
    Pid,
    /// `_nr_pr`: the number of processes.
    NumberOfProcesses,
    /// `_last`: the process that moved last.
    Last,
    /// `_priority`: the priority of this process.
    Priority,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum SymbolKind {
    /// A declared variable.
    Variable {
        /// Its declaration.
        variable: VariableId,
        /// Its type.
        kind: Type,
        /// Its length, if it is an array.
        length: Option<u32>,
        /// `hidden`, `show`, `local`.
        visibility: Option<Visibility>,
        /// It is a parameter of a proctype.
        parameter: bool,
    },
    /// A predefined variable.
    Predefined(Predefined),
}

/// A variable and where it is known.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: Text,
    /// What it is.
    pub kind: SymbolKind,
    /// Where it is declared.
    pub place: Place,
    /// The item (proctype, init, claim) it is local to; `None` for globals.
    pub owner: Option<usize>,
}

/// A value of an mtype.
#[derive(Clone, Debug)]
pub struct MtypeValue {
    /// From 1, in its subtype.
    pub value: u8,
    /// Which mtype it belongs to.
    pub subtype: Option<Text>,
    /// Where it is declared.
    pub place: Place,
}

/// Which label: its name and the use of an inline it was expanded from, because each use has its own.
pub type LabelKey = (Text, Origin);

/// The symbol table of a checked model.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// All variables.
    pub symbols: Vec<Symbol>,
    /// All typedefs.
    pub structures: Vec<Structure>,
    /// The typedefs by name.
    pub structure_names: HashMap<Text, StructureId>,
    /// The values of mtypes.
    pub mtypes: HashMap<Text, MtypeValue>,
    /// The proctypes, as positions among the items.
    pub proctypes: HashMap<Text, usize>,
    /// The labels of each item.
    pub labels: HashMap<usize, HashMap<LabelKey, Place>>,
    pub(super) references: Vec<Option<SymbolId>>,
    pub(super) variables: Vec<Option<SymbolId>>,
}

impl Symbols {
    /// A symbol by number.
    pub fn get(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// What a reference begins with.
    pub fn resolve(&self, id: ReferenceId) -> Option<SymbolId> {
        self.references.get(id.0 as usize).copied().flatten()
    }

    /// The symbol of a declared variable; fields of typedefs have none.
    pub fn declared(&self, id: VariableId) -> Option<SymbolId> {
        self.variables.get(id.0 as usize).copied().flatten()
    }

    /// A typedef by number.
    pub fn structure(&self, id: StructureId) -> &Structure {
        &self.structures[id.0 as usize]
    }

    /// How many simple values a type holds.
    pub fn width(&self, kind: &Type) -> usize {
        match kind {
            Type::Structure(id) => self.structure(*id).width,
            _ => 1,
        }
    }

    /// The type of what a reference denotes, and the length if it denotes a whole array.
    pub fn type_of(&self, reference: &Reference) -> Option<(Type, Option<u32>)> {
        let (mut kind, mut length) = match &self.get(self.resolve(reference.id)?).kind {
            SymbolKind::Variable { kind, length, .. } => (kind.clone(), *length),
            SymbolKind::Predefined(Predefined::Scratch | Predefined::NumberOfProcesses) => (Type::Int, None),
            SymbolKind::Predefined(_) => (Type::Pid, None),
        };
        let mut parts = reference.parts.iter();
        if parts.next()?.index.is_some() {
            length = None;
        }
        for part in parts {
            let Type::Structure(id) = kind else { return None };
            let field = self.structure(id).fields.iter().find(|field| field.name == part.name.text)?;
            kind = field.kind.clone();
            length = if part.index.is_some() { None } else { field.length };
        }
        Some((kind, length))
    }

    /// Which label a name means in an item, at its definition or in a `goto`: the one of the same use
    /// of an inline, or of the nearest one around it.
    pub fn label(&self, item: usize, name: &Name, expansions: &Expansions) -> Option<LabelKey> {
        let labels = self.labels.get(&item)?;
        let mut origin = name.place.origin;
        loop {
            origin = inline_instance(expansions, origin);
            let key = (name.text.clone(), origin);
            if labels.contains_key(&key) {
                return Some(key);
            }
            origin = expansions.get(origin)?.parent;
        }
    }
}

/// The innermost use of an inline that an origin is part of.
pub fn inline_instance(expansions: &Expansions, origin: Origin) -> Origin {
    let mut at = origin;
    while let Some(expansion) = expansions.get(at) {
        if expansion.kind == ExpansionKind::Inline {
            return at;
        }
        at = expansion.parent;
    }
    Origin::SOURCE
}
