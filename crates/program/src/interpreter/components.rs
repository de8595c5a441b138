//! The parts of a state: the globals and objects, each channel, each process.

use super::machine::Machine;

impl Machine {
    /// Appends the parts of a state, each as its first byte and the one behind its last.
    pub fn components(&self, state: &[u8], out: &mut Vec<(u32, u32)>) {
        let layout = &self.layout;
        let channels = layout.channels.iter().map(|place| place.offset);
        let frames = self.processes(state).flat_map(|at| {
            let frame = at.frame as u32;
            let own = layout.frames[at.kind].channels.iter().map(move |place| frame + place.offset);
            std::iter::once(frame).chain(own)
        });
        let mut starts: Vec<u32> = std::iter::once(0).chain(channels).chain(frames).collect();
        starts.push(state.len() as u32);
        out.extend(starts.windows(2).map(|pair| (pair[0], pair[1])));
    }
}
