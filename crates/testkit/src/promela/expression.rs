//! Random expressions: everything in parentheses, divisors and shifts always constant.

use super::Generator;
use super::scope::Kind;

/// Values at which types wrap around.
const EXTREMES: [&str; 12] =
    ["255", "256", "257", "-1", "-2", "32767", "32768", "-32769", "65536", "2147483647", "70000", "1023"];

impl Generator {
    /// An expression of at most this depth.
    pub fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf();
        }
        match self.pick(&[35, 30, 15, 8, 7, 5]) {
            1 => {
                let operator = self.word(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {operator} {})", self.expression(depth - 1), self.expression(depth - 1))
            }
            2 => self.condition(depth - 1),
            3 => {
                let (operator, least) =
                    [("%", 2), ("/", 2), ("<<", 0), (">>", 0), ("%", 3)][self.random.usize(0..5)];
                let right = self.random.u32(least..least + 3);
                format!("({} {operator} {right})", self.expression(depth - 1))
            }
            4 => {
                let (condition, yes) = (self.condition(depth - 1), self.expression(depth - 1));
                format!("({condition} -> {yes} : {})", self.expression(depth - 1))
            }
            5 => {
                let operator = self.word(&["-", "~"]);
                format!("({operator} {})", self.expression(depth - 1))
            }
            _ => self.leaf(),
        }
    }

    /// An expression that is a question.
    pub fn condition(&mut self, depth: u32) -> String {
        let probes = Self::weight(self.shape.probes, 15);
        match self.pick(&[50, if depth > 0 { 15 } else { 0 }, 10, probes, 8]) {
            1 => {
                let operator = self.word(&["&&", "||"]);
                format!("({} {operator} {})", self.condition(depth - 1), self.condition(depth - 1))
            }
            2 => format!("(! {})", self.comparison(depth)),
            3 => self.probe().unwrap_or_else(|| self.comparison(depth)),
            4 => match self.place(|v| v.kind.is_narrow()) {
                Some((text, _)) => text,
                None => self.comparison(depth),
            },
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: u32) -> String {
        if self.shape.symbols
            && self.chance(30)
            && let Some((text, _)) = self.place(|v| v.kind == Kind::Mtype)
        {
            let operator = self.word(&["==", "!="]);
            return format!("({text} {operator} {})", self.word(&["red", "green", "blue"]));
        }
        let operator = self.word(&["==", "!=", "<", "<=", ">", ">="]);
        let right = if self.chance(60) { self.random.u32(0..3).to_string() } else { self.leaf() };
        format!("({} {operator} {right})", self.expression(depth.saturating_sub(1)))
    }

    fn leaf(&mut self) -> String {
        let counting = Self::weight(self.shape.counting, 6);
        let last = Self::weight(self.shape.last, 10);
        match self.pick(&[25, 60, 5, counting, last, Self::weight(self.shape.wide, 3)]) {
            1 => match self.place(|v| !matches!(v.kind, Kind::Chan(_))) {
                Some((text, _)) => text,
                None => "1".to_owned(),
            },
            2 => "_pid".to_owned(),
            3 => "_nr_pr".to_owned(),
            4 => "_last".to_owned(),
            5 => EXTREMES[self.random.usize(0..EXTREMES.len())].to_owned(),
            _ => self.random.u32(0..4).to_string(),
        }
    }

    /// A value for a variable, such that variables with many values take few of them.
    pub fn value(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Mtype => self.word(&["red", "green", "blue", "blue", "0"]).to_owned(),
            Kind::Bit | Kind::Bool | Kind::Unsigned(_) => {
                let depth = self.random.u32(0..3);
                self.expression(depth)
            }
            Kind::Chan(signature) => match self.channel(|_, candidate| candidate == signature) {
                Some((text, _)) => text,
                None => "0".to_owned(),
            },
            Kind::Byte | Kind::Pid | Kind::Short | Kind::Int => {
                let wide = Self::weight(self.shape.wide, 35);
                match self.pick(&[30, 35, wide, wide / 3]) {
                    1 => {
                        let mask = self.word(&["& 1", "& 3", "% 2", "% 3"]);
                        format!("({} {mask})", self.expression(1))
                    }
                    2 => {
                        let extreme = EXTREMES[self.random.usize(0..EXTREMES.len())];
                        let narrow = self.place(|v| v.kind.is_narrow()).map_or("1".to_owned(), |p| p.0);
                        let operator = self.word(&["+", "-", "*"]);
                        format!("({extreme} {operator} {narrow})")
                    }
                    3 => EXTREMES[self.random.usize(0..EXTREMES.len())].to_owned(),
                    _ => self.random.u32(0..4).to_string(),
                }
            }
        }
    }
}
