use std::error::Error;
use std::fmt;

#[derive(Debug)]
pub(crate) enum Refused {
    Nought,
    Large { by: u32, cause: Box<dyn Error + Send + Sync> },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Nought => f.write_str("nought"),
            Refused::Large { by, .. } => write!(f, "too large by {by}"),
        }
    }
}

impl Error for Refused {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Refused::Nought => None,
            Refused::Large { cause, .. } => Some(&**cause),
        }
    }
}

pub(crate) fn checked(number: u32) -> Result<u32, Refused> {
    match number {
        0 => Err(Refused::Nought),
        _ if crate::is_roman(number) => Ok(number),
        _ => Err(Refused::Large { by: number - 3999, cause: "four thousand".into() }),
    }
}
