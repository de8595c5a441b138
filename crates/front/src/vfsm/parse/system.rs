//! The system: processors, processes, the machines in them, and what waits in their queues.

use super::{Parser, Read};
use crate::vfsm::ast::{Instance, Process, Processor, System};
use crate::vfsm::lex::Kind;
use mazurka_model::source::Span;

impl Parser<'_> {
    pub(super) fn system(&mut self) -> Read<System> {
        self.next();
        let mut system = System { name: self.name("the name of the system")?, ..System::default() };
        self.block(|parser| match parser.word() {
            "processor" => parser.processor().map(|one| system.processors.push(one)),
            "initially" => {
                parser.next();
                loop {
                    let machine = parser.name("a machine")?;
                    parser.expect(".")?;
                    system.messages.push((machine, parser.name("an event")?));
                    if !parser.take(",") {
                        break;
                    }
                }
                parser.expect(";")
            }
            "ltl" => {
                parser.next();
                let name = parser.name("the name of the property")?;
                parser.expect("{")?;
                let start = parser.peek().span;
                while !parser.is("}") {
                    if parser.peek().kind == Kind::End {
                        return parser.fail("`}`");
                    }
                    parser.next();
                }
                let span = Span { end: parser.peek().span.start, ..start };
                let text = parser.text[span.start as usize..span.end.max(span.start) as usize].trim();
                system.formulas.push((name, text.to_owned(), span));
                parser.next();
                Ok(())
            }
            _ => parser.fail("`processor`, `initially` or `ltl`"),
        })?;
        Ok(system)
    }

    pub(super) fn processor(&mut self) -> Read<Processor> {
        self.next();
        let mut processor =
            Processor { name: self.name("the name of the processor")?, processes: Vec::new(), shared: false };
        let mut own = Process { name: processor.name.clone(), ..Process::default() };
        self.capacities(&mut own)?;
        self.block(|parser| {
            let process = parser.word() == "process" && parser.ahead(1).kind == Kind::Word;
            if process {
                let one = parser.process()?;
                processor.processes.push(one);
                return Ok(());
            }
            let instance = parser.instance()?;
            own.instances.push(instance);
            Ok(())
        })?;
        if !own.instances.is_empty() || processor.processes.is_empty() {
            processor.processes.push(own);
        }
        Ok(processor)
    }

    pub(super) fn capacities(&mut self, process: &mut Process) -> Read<()> {
        loop {
            match self.word() {
                "queue" => {
                    self.next();
                    process.queue = Some(self.number()?);
                }
                "internal" => {
                    self.next();
                    process.internal = Some(self.number()?);
                }
                _ => return Ok(()),
            }
        }
    }

    pub(super) fn process(&mut self) -> Read<Process> {
        self.next();
        let mut process = Process { name: self.name("the name of the process")?, ..Process::default() };
        self.capacities(&mut process)?;
        self.block(|parser| {
            let instance = parser.instance()?;
            process.instances.push(instance);
            Ok(())
        })?;
        Ok(process)
    }

    pub(super) fn instance(&mut self) -> Read<Instance> {
        let name = self.name("the name of a machine")?;
        self.expect(":")?;
        let machine = self.name("the definition of the machine")?;
        let mut arguments = Vec::new();
        if self.take("(") && !self.take(")") {
            arguments.push(self.number()?);
            while self.take(",") {
                arguments.push(self.number()?);
            }
            self.expect(")")?;
        }
        self.expect(";")?;
        Ok(Instance { name, machine, arguments })
    }
}
