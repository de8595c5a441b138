//! The options of `explain`.

use crate::load::How;
use crate::options::properties;
use crate::values::{self, FullChannel, Property};
use clap::Args;
use mazurka_engine::{Config, Dependency, Order, Reduction};
use std::path::PathBuf;

const EXAMPLE: &str = "\
Example:
  mazurka explain model.pml
  mazurka explain model.pml --state 12 --reduce conditional
  mazurka explain model.pml --trail model.pml.trail --json

States are numbered from 0 in the order of a breadth-first search without reduction. Steps marked * are
chosen. Sleep sets and provisos depend on the way to a state and are not looked at: a search leaves
out chosen steps that are asleep, and explores more where the proviso asks for it.

Exit codes: 0 explained, 2 wrong command line or model, 3 interrupted";

/// Arguments of `explain`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct ExplainArguments {
    /// The model: Promela (.pml), a Petri net (.pnml), a network of machines (.vfsm, .scxml) or program text (.mzk)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Which state
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub state: u64,

    /// Each state along a saved run instead
    #[arg(long, value_name = "T", conflicts_with = "state")]
    pub trail: Option<PathBuf>,

    /// The reduction, as for `check`
    #[arg(long, value_name = "R", default_value = "auto", value_parser = values::reduction)]
    pub reduce: Reduction,

    /// When two operations on one object depend on each other, as for `check`
    #[arg(long, value_name = "D", default_value = "refined", value_parser = values::dependency)]
    pub dependency: Dependency,

    /// The order in which processes are tried: forward, reverse
    #[arg(long, value_name = "O", default_value = "forward", value_parser = fixed_order)]
    pub order: Order,

    /// What is checked, as for `check` (repeatable)
    #[arg(long, value_name = "P", value_parser = values::property)]
    pub property: Vec<Property>,

    /// Show the values of the state as well
    #[arg(long)]
    pub values: bool,

    /// Write the explanation as one JSON object
    #[arg(long)]
    pub json: bool,

    /// What a send to a full channel does: block, lose
    #[arg(long, value_name = "F", default_value = "block", value_parser = values::full_channel)]
    pub full_channel: FullChannel,

    /// Define a macro of a Promela model, as for a C preprocessor (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub define: Vec<(String, String)>,
}

impl ExplainArguments {
    /// How the model is read.
    pub fn how(&self) -> How<'_> {
        let receptions = self.property.contains(&Property::Reception);
        How { defines: &self.define, full_channel: self.full_channel, receptions, ..How::default() }
    }

    /// What is explained.
    pub fn config(&self) -> Config {
        Config {
            reduction: self.reduce,
            dependency: self.dependency,
            order: self.order,
            properties: properties(&self.property),
            ..Config::default()
        }
    }
}

/// An order that is the same in every state.
fn fixed_order(text: &str) -> Result<Order, String> {
    match text {
        "forward" => Ok(Order::Forward),
        "reverse" => Ok(Order::Reverse),
        _ => Err(format!("`{text}` is unknown; choose one of forward, reverse")),
    }
}
