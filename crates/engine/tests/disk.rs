//! States in a file: what is written is there, nothing is left of the file, and a search is the same as in memory.

mod support;

use mazurka_engine::store::disk::{Chunk, StateFile};
use mazurka_engine::{Config, Limits, SearchKind, Silent, Stop, StoreKind, check};
use std::fs;
use support::Walkers;

#[test]
fn parts_keep_what_is_written_and_no_file_is_left() {
    let folder = std::env::temp_dir().join(format!("mazurka-disk-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut file = StateFile::new(&folder).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let mut parts: Vec<Chunk> = (1..20).map(|i| file.map(i * 10_001).unwrap()).collect();
    for (i, part) in parts.iter_mut().enumerate() {
        assert!(part.iter().all(|byte| *byte == 0) && part.len() == (i + 1) * 10_001);
        part.fill(i as u8);
    }
    assert!(parts.iter().enumerate().all(|(i, part)| part.iter().all(|byte| *byte == i as u8)));
    fs::remove_dir(&folder).unwrap();
    assert!(StateFile::new(&folder).is_err());
}

#[test]
fn a_search_on_disk_needs_memory_for_the_table_only() {
    let system = Walkers::new(5, 9, false, true);
    for (_, search) in SearchKind::WHOLE {
        // Less than the states take.
        let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
        let folder = std::env::temp_dir();
        let config = Config { search, limits, store: StoreKind::Disk, folder, ..Config::default() };
        let outcome = check(&system, &config, &Silent);
        assert_eq!((outcome.stopped, outcome.statistics.states), (None, 59_050), "{search}");
        assert!(outcome.statistics.disk_bytes > 59_050 * 6, "{search}");
        let nowhere = Config { folder: "/nonexistent/folder".into(), ..config };
        let refused = check(&system, &nowhere, &Silent);
        assert_eq!(refused.stopped, Some(Stop::Options));
        assert!(refused.notes[0].contains("/nonexistent/folder"), "{:?}", refused.notes);
    }
}
