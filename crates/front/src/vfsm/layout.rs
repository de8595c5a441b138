//! Where everything stands in the bytes of a state.
//!
//! Process by process: for each machine its state (one byte, or two where there are many) and as many bytes of its
//! register as it has inputs for; then its two queues, a number for each message with zeros behind the last;
//! at the end a bit for each timer. All states have the same length.

use super::network::Network;

/// Where a machine stands.
#[derive(Copy, Clone, Debug, Default)]
struct MachineAt {
    start: usize,
    wide: bool,
    register: usize,
}

/// Where a queue stands.
#[derive(Copy, Clone, Debug, Default)]
pub struct QueueAt {
    start: usize,
    capacity: usize,
    /// The message that is number 1 in it.
    first: u32,
}

/// Where everything stands.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    machines: Vec<MachineAt>,
    low: Vec<QueueAt>,
    high: Vec<QueueAt>,
    /// Messages have two bytes.
    wide: bool,
    timers: usize,
    /// How many bytes there are.
    pub size: usize,
    parts: Vec<(u32, u32)>,
}

impl Layout {
    /// The layout of a network.
    pub fn new(network: &Network) -> Layout {
        let wide = network.processes.iter().any(|process| process.messages > 255);
        let mut layout = Layout { wide, ..Layout::default() };
        let mut at = 0;
        let part = |layout: &mut Layout, from: usize, to: usize| {
            if to > from {
                layout.parts.push((from as u32, to as u32));
            }
        };
        for process in &network.processes {
            let start = at;
            for machine in &network.machines[process.machines.clone()] {
                let wide = machine.states.len() > 256;
                let register = machine.inputs.len().div_ceil(8);
                layout.machines.push(MachineAt { start: at, wide, register });
                at += 1 + usize::from(wide) + register;
            }
            part(&mut layout, start, at);
            let first = process.first_message;
            let start = at;
            for (capacity, queues) in [(process.high, &mut layout.high), (process.low, &mut layout.low)] {
                queues.push(QueueAt { start: at, capacity, first });
                at += capacity * (1 + usize::from(wide));
            }
            part(&mut layout, start, at);
        }
        let timers = at;
        layout.timers = timers;
        at += network.timers.len().div_ceil(8);
        part(&mut layout, timers, at);
        layout.size = at;
        layout
    }

    /// The parts of which a state consists.
    pub fn parts(&self) -> &[(u32, u32)] {
        &self.parts
    }

    /// The state of a machine.
    #[inline]
    pub fn state(&self, bytes: &[u8], machine: usize) -> u32 {
        let at = self.machines[machine];
        match at.wide {
            false => bytes[at.start].into(),
            true => u16::from_le_bytes([bytes[at.start], bytes[at.start + 1]]).into(),
        }
    }

    /// The register of a machine.
    #[inline]
    pub fn register(&self, bytes: &[u8], machine: usize) -> u64 {
        let at = self.machines[machine];
        let start = at.start + 1 + usize::from(at.wide);
        let mut register = 0;
        for (index, byte) in bytes[start..start + at.register].iter().enumerate() {
            register |= u64::from(*byte) << (8 * index);
        }
        register
    }

    /// Sets the state and the register of a machine.
    #[inline]
    pub fn set_machine(&self, bytes: &mut [u8], machine: usize, state: u32, register: u64) {
        let at = self.machines[machine];
        bytes[at.start] = state as u8;
        if at.wide {
            bytes[at.start + 1] = (state >> 8) as u8;
        }
        let start = at.start + 1 + usize::from(at.wide);
        for (index, byte) in bytes[start..start + at.register].iter_mut().enumerate() {
            *byte = (register >> (8 * index)) as u8;
        }
    }

    /// The queue of a process for messages from other processes.
    #[inline]
    pub fn low(&self, process: usize) -> QueueAt {
        self.low[process]
    }

    /// The queue of a process for messages between its machines.
    #[inline]
    pub fn high(&self, process: usize) -> QueueAt {
        self.high[process]
    }

    #[inline]
    fn slot(&self, bytes: &[u8], queue: QueueAt, index: usize) -> u32 {
        match self.wide {
            false => bytes[queue.start + index].into(),
            true => {
                let at = queue.start + 2 * index;
                u16::from_le_bytes([bytes[at], bytes[at + 1]]).into()
            }
        }
    }

    /// The first message of a queue.
    #[inline]
    pub fn head(&self, bytes: &[u8], queue: QueueAt) -> Option<u32> {
        if queue.capacity == 0 {
            return None;
        }
        self.slot(bytes, queue, 0).checked_sub(1).map(|number| queue.first + number)
    }

    /// How many messages are in a queue.
    #[inline]
    pub fn len(&self, bytes: &[u8], queue: QueueAt) -> usize {
        (0..queue.capacity).find(|index| self.slot(bytes, queue, *index) == 0).unwrap_or(queue.capacity)
    }

    /// Appends the messages of a queue.
    pub fn messages(&self, bytes: &[u8], queue: QueueAt, out: &mut Vec<u32>) {
        let filled = (0..queue.capacity).map(|index| self.slot(bytes, queue, index));
        out.extend(filled.take_while(|number| *number > 0).map(|number| queue.first + number - 1));
    }

    /// Takes the first message out of a queue.
    #[inline]
    pub fn pop(&self, bytes: &mut [u8], queue: QueueAt) {
        let width = 1 + usize::from(self.wide);
        let end = queue.start + queue.capacity * width;
        bytes.copy_within(queue.start + width..end, queue.start);
        bytes[end - width..end].fill(0);
    }

    /// Appends a message to a queue; false if it is full.
    #[inline]
    pub fn push(&self, bytes: &mut [u8], queue: QueueAt, message: u32) -> bool {
        let length = self.len(bytes, queue);
        if length == queue.capacity {
            return false;
        }
        let number = message - queue.first + 1;
        match self.wide {
            false => bytes[queue.start + length] = number as u8,
            true => {
                let at = queue.start + 2 * length;
                bytes[at..at + 2].copy_from_slice(&(number as u16).to_le_bytes());
            }
        }
        true
    }

    /// Whether a timer runs.
    #[inline]
    pub fn runs(&self, bytes: &[u8], timer: usize) -> bool {
        bytes[self.timers + timer / 8] >> (timer % 8) & 1 == 1
    }

    /// Starts or stops a timer.
    #[inline]
    pub fn set_timer(&self, bytes: &mut [u8], timer: usize, runs: bool) {
        let byte = &mut bytes[self.timers + timer / 8];
        *byte = *byte & !(1 << (timer % 8)) | u8::from(runs) << (timer % 8);
    }
}

impl QueueAt {
    /// How many messages fit.
    pub fn capacity(self) -> usize {
        self.capacity
    }
}
