//! The machine code of a program in memory.

use crate::Unsupported;
use crate::context::{Compiled, Functions};
use crate::emit::{Emitter, inside, signature};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetFrontendConfig};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use mazurka_program::Interpreter;
use std::fmt;

/// Process types with more transitions than this are interpreted: allocating registers for one function takes
/// longer than in proportion to its size.
const MOST_TRANSITIONS: usize = 10_000;

/// Whether Cranelift checks the code that it is given. Builds with debug assertions do, and with them the tests; it takes a quarter
/// of the time.
const VERIFIED: &str = if cfg!(debug_assertions) { "true" } else { "false" };

/// Machine code, which lives as long as this.
pub struct Code {
    module: Option<JITModule>,
    /// Its functions.
    pub functions: Functions,
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").field("functions", &self.functions).finish_non_exhaustive()
    }
}

// SAFETY: nothing is added to the module once the functions are made, and they keep all their data in the
// context of their caller.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are reached through this value only, and only while it is borrowed.
            unsafe { module.free_memory() };
        }
    }
}

fn machine() -> Result<OwnedTargetIsa, Unsupported> {
    let mut flags = settings::builder();
    for (name, value) in
        [("opt_level", "speed"), ("is_pic", "false"), ("unwind_info", "false"), ("enable_verifier", VERIFIED)]
    {
        flags.set(name, value).map_err(|error| Unsupported(error.to_string()))?;
    }
    let builder = cranelift_native::builder().map_err(|error| Unsupported(error.to_owned()))?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| Unsupported(error.to_string()))
}

/// Which of a type's functions.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Part {
    Moves,
    Accept,
    Through,
}

struct Assembler<'a> {
    interpreter: &'a Interpreter,
    module: JITModule,
    target: TargetFrontendConfig,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
}

impl Assembler<'_> {
    /// Compiles one function; `None` if Cranelift refuses it. If the type `goes_on`, it has a function for that.
    fn function(&mut self, kind: usize, part: Part, goes_on: bool) -> Option<FuncId> {
        self.context.func.signature = signature(self.target.default_call_conv, 4, true);
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let emitter = Emitter::new(builder, self.interpreter, self.target, goes_on);
        match part {
            Part::Moves => emitter.moves(kind),
            Part::Accept => emitter.accept(kind),
            Part::Through => emitter.through(kind),
        }
        let id = self.module.declare_anonymous_function(&self.context.func.signature).ok()?;
        let defined = self.module.define_function(id, &mut self.context);
        self.module.clear_context(&mut self.context);
        defined.ok().map(|()| id)
    }
}

/// Compiles all process types of a program that can be compiled.
pub fn compile(interpreter: &Interpreter) -> Result<Code, Unsupported> {
    let isa = machine()?;
    if isa.pointer_bits() != 64 {
        return Err(Unsupported("pointers don't have 64 bits".to_owned()));
    }
    let target = isa.frontend_config();
    let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let context = module.make_context();
    let mut assembler =
        Assembler { interpreter, module, target, context, builder: FunctionBuilderContext::new() };
    let code = interpreter.code();
    let mut ids = Vec::new();
    for (kind, locations) in code.locations.iter().enumerate() {
        let transitions: usize = locations.iter().map(|l| l.transitions.indices().len()).sum();
        let accepts = locations.iter().any(|location| location.accepts);
        let holds = interpreter.layout().exclusive.width > 0 && inside(code, kind).contains(&true);
        let mut wanted = |part, needed: bool, goes_on: bool| {
            let fits = needed && transitions <= MOST_TRANSITIONS;
            fits.then(|| assembler.function(kind, part, goes_on)).flatten()
        };
        let through = wanted(Part::Through, holds, false);
        let moves = wanted(Part::Moves, true, through.is_some());
        ids.push((moves, accepts, wanted(Part::Accept, accepts, through.is_some()), through));
    }
    let Assembler { mut module, .. } = assembler;
    module.finalize_definitions().map_err(|error| Unsupported(error.to_string()))?;
    let finished = |id: Option<FuncId>| {
        id.map(|id| {
            let pointer = module.get_finalized_function(id);
            // SAFETY: the function was compiled with this signature.
            unsafe { std::mem::transmute::<*const u8, Compiled>(pointer) }
        })
    };
    // A type that accepts handshakes and could not be compiled must not be taken for one that accepts none.
    let missing = ids.iter().any(|(_, accepts, id, _)| *accepts && id.is_none());
    let functions = Functions {
        moves: ids.iter().map(|(moves, ..)| if missing { None } else { finished(*moves) }).collect(),
        accept: ids.iter().map(|(_, _, accept, _)| finished(*accept)).collect(),
        through: ids.iter().map(|(.., through)| finished(*through)).collect(),
    };
    Ok(Code { module: Some(module), functions })
}
