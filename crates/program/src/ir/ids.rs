//! Typed indices into the tables of a program.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A global variable or array.
    GlobalId
}
index! {
    /// A parameter, local variable or local array of a process type.
    LocalId
}
index! {
    /// A global channel.
    ChannelIndex
}
index! {
    /// A channel that every instance of a process type creates for itself.
    OwnChannel
}
index! {
    /// An object of the object library that a program declares.
    DeclaredObject
}
index! {
    /// A process type.
    TypeId
}
index! {
    /// A location of a process type.
    LocationId
}
