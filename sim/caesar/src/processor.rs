//! The processor that this build of the command needs.

/// Returns the complaint about a processor without the instructions for which this build was compiled.
///
/// It uses none of them itself, so that it is printed where the command would be killed by the system.
#[must_use]
#[inline(never)]
pub fn complaint() -> Option<&'static str> {
    (!is_new_enough()).then_some(COMPLAINT)
}

const COMPLAINT: &str = if cfg!(target_feature = "avx2") {
    "error: this build of caesar needs a processor of x86-64-v3 (Intel since 2013, AMD since 2015), and this one is \
     older\n  take the archive without v3 in its name, or build without .cargo/config.toml\n"
} else {
    "error: this build of caesar needs a processor of x86-64-v2 (Intel since 2009, AMD since 2011), and this one is \
     older\n  build it from source: cargo install caesar-cli\n"
};

#[cfg(not(all(target_arch = "x86_64", target_feature = "popcnt")))]
const fn is_new_enough() -> bool {
    true
}

/// Returns the answer of the processor; the standard library's is that of the build's options.
#[cfg(all(target_arch = "x86_64", target_feature = "popcnt"))]
fn is_new_enough() -> bool {
    use std::arch::x86_64::__cpuid;
    /// SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT.
    const V2: u32 = 1 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23;
    /// FMA, MOVBE, OSXSAVE, AVX, F16C.
    const V3: u32 = 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29;
    /// BMI1, AVX2, BMI2, of leaf 7.
    const V3_EXTENDED: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    /// LZCNT, of the highest leaf.
    const LZCNT: u32 = 1 << 5;
    let first = __cpuid(1).ecx;
    if first & V2 != V2 {
        return false;
    }
    if !cfg!(target_feature = "avx2") {
        return true;
    }
    let has_leaf_7 = __cpuid(0).eax >= 7;
    first & V3 == V3
        && has_leaf_7
        && __cpuid(7).ebx & V3_EXTENDED == V3_EXTENDED
        && __cpuid(0x8000_0001).ecx & LZCNT == LZCNT
}
