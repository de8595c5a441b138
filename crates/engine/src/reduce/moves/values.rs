//! The values of objects in the state at hand, each read once.

use mazurka_model::{ObjectId, Relations};

/// What was read of one object.
#[derive(Debug, Default)]
struct Reading {
    /// For which state.
    value_of: u64,
    outline_of: u64,
    value: Vec<i64>,
    outline: Vec<i64>,
}

/// The values that were asked for.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// Which state it is, counted from 1.
    state: u64,
    readings: Vec<Reading>,
}

impl Values {
    /// Turns to another state.
    #[inline]
    pub fn turn(&mut self) {
        self.state += 1;
    }

    #[inline]
    fn reading(&mut self, relations: &dyn Relations, state: &[u8], object: ObjectId) -> &mut Reading {
        if self.readings.is_empty() {
            self.readings.resize_with(relations.objects().len(), Reading::default);
        }
        let reading = &mut self.readings[object.index()];
        if reading.value_of != self.state {
            reading.value_of = self.state;
            relations.value(state, object, &mut reading.value);
        }
        reading
    }

    /// The value of an object in the state to which this turned.
    #[inline]
    pub fn read(&mut self, relations: &dyn Relations, state: &[u8], object: ObjectId) -> &[i64] {
        &self.reading(relations, state, object).value
    }

    /// Its outline.
    #[inline]
    pub fn outline(&mut self, relations: &dyn Relations, state: &[u8], object: ObjectId) -> &[i64] {
        let now = self.state;
        let reading = self.reading(relations, state, object);
        if reading.outline_of != now {
            reading.outline_of = now;
            reading.outline.clone_from(&reading.value);
            relations.objects()[object.index()].outline(&mut reading.outline);
        }
        &reading.outline
    }
}
