//! Tests of crowded boards in a real browser: no name and no piece overlaps another or leaves the picture.

use draw::board::Kind;
use draw::chip::{Chip, ChipLook};
use draw::geography;
use draw::highlight::Highlight;
use draw::marches::marches;
use draw::replay::{BoardView, Frame, Replay};
use draw::replay_page::replay_page;
use serde_json::json;

use crate::browser::loaded;

/// Provinces of conquest2 that pay points.
const KEYS: &str =
    "italia neapolis sicilia achaia asia galatia egypt mesopotamia numidia narbonensis hispania";
/// Its other provinces.
const LANDS: &str = "africa aquitania arabia-petraea armenia baetica baleares belgica britannia caesariensis \
                     cappadocia cilicia corsica creta cyprus cyrenaica dacia dalmatia germania lugdunensis lusitania \
                     macedonia moesia noricum palestina pannonia pontus-bithynia raetia sardinia syria thracia tingitana";
/// Its zones.
const ZONES: &str = "mare-adriatico mare-aegaeum mare-alexandria mare-amisus mare-baliaricum mare-cantabricum \
                     mare-epirus mare-hispalis mare-libycum mare-narbo mare-numidia mare-pelusium mare-pontus-euxinus \
                     mare-rhodus mare-sabrata mare-tyrrhenum oceanus-atlanticus oceanus-britannicus";

/// Returns the areas of conquest2 that hold pieces: provinces, some of which pay points, and zones.
fn areas() -> Vec<(String, Kind)> {
    let of = |kind: Kind| move |id: &str| (id.to_owned(), kind);
    let keys = KEYS.split_whitespace().map(of(Kind::Key));
    let lands = LANDS.split_whitespace().map(of(Kind::Land));
    keys.chain(lands).chain(ZONES.split_whitespace().map(of(Kind::Sea))).collect()
}

/// A reproducible generator of numbers from 0 to below `n` (Knuth's generator MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Returns a position of a table of `seats` seats, with at least as many pieces as a late game.
fn crowded(seats: usize, numbers: &mut Numbers) -> Frame {
    const KEYS: usize = 11;
    const LANDS: usize = 42;
    const ALL: usize = 60;
    let mut chips: Vec<Vec<Chip>> = vec![Vec::new(); ALL];
    let mut add = |area: usize, seat: usize, look: ChipLook, text: &str, side: &'static str| {
        let title = format!("{seat}{text}");
        let all = &mut chips[area];
        // No seat has two bars or two tokens in one place.
        if !all.iter().any(|chip: &Chip| chip.seat == Some(seat) && chip.look == look) {
            all.push(Chip::new(Some(seat), look, text.to_owned(), title).on(side));
        }
    };
    for seat in 0..seats {
        let side = ["A", "B"][seat % 2];
        for _ in 0..7 {
            let area =
                if numbers.below(2) == 0 { numbers.below(KEYS) } else { numbers.below(LANDS) };
            let units = ["i3", "i12 c2", "i5 c3 k2 G", "i2 c G C", "c4 k", "i14 c11 k6 G2 C"];
            add(area, seat, ChipLook::Units, units[numbers.below(units.len())], side);
        }
        for _ in 0..4 {
            let galleys = format!("g{}", 2 + numbers.below(7));
            add(LANDS + numbers.below(ALL - LANDS), seat, ChipLook::Units, &galleys, side);
        }
        for _ in 0..9 {
            let n = (1 + numbers.below(11)).to_string();
            add(numbers.below(KEYS), seat, ChipLook::Token, &n, "");
        }
        for _ in 0..2 {
            add(numbers.below(LANDS), seat, ChipLook::Built, "w", "");
        }
    }
    for place in chips.iter_mut().take(KEYS) {
        let left = (1 + numbers.below(7)).to_string();
        place.push(Chip::new(None, ChipLook::Sale, left, "for sale".to_owned()));
        // Units stand first, then tokens, then buildings.
        place.sort_by_key(|chip| (chip.look != ChipLook::Units, chip.look == ChipLook::Sale));
    }
    let highlights = marched(&chips, numbers);
    Frame {
        view: BoardView { areas: chips, ..BoardView::default() },
        highlights,
        ..Frame::default()
    }
}

/// Returns the arrows of units that have come to where they stand, some from next to it and some from afar.
fn marched(chips: &[Vec<Chip>], numbers: &mut Numbers) -> Vec<Highlight> {
    let mut before = chips.to_vec();
    for _ in 0..60 {
        let fewer = before.iter().zip(chips).filter(|(before, after)| before.len() < after.len());
        if fewer.count() >= 6 {
            break;
        }
        let (to, from) = (numbers.below(chips.len()), numbers.below(chips.len()));
        let units = before[to].iter().position(|chip| chip.look == ChipLook::Units);
        if let Some(units) = units {
            let chip = before[to].remove(units);
            before[from].push(chip);
        }
    }
    marches(&before, chips).into_iter().map(Highlight::March).collect()
}

/// The script that returns overlaps of names and pieces in each frame, those on arrows too, and those that leave the
/// picture, as texts. Arrows lie below the names.
const OVERLAPS: &str = "const r = document.querySelector('.replay'), svg = r.querySelector('.board'), out = [];
    const whole = svg.getBoundingClientRect(), input = r.querySelector('input[type=range]');
    const boxes = [...svg.querySelectorAll('.name, .badge')].map(e => [e.textContent, e.getBoundingClientRect()]);
    for (let at = 0; at <= Number(input.max); at++) {
      input.value = at; input.dispatchEvent(new Event('input'));
      const due = r.querySelectorAll('[data-area]').length, all = boxes.concat(
        [...svg.querySelectorAll('.chip')].map(e => [e.textContent, e.getBoundingClientRect()]));
      if (all.length === boxes.length) out.push(`${at}: no pieces`);
      if (!svg.querySelector('.marks .chip')) out.push(`${at}: no pieces on arrows`);
      all.forEach(([name, a], i) => {
        if (a.left < whole.left - 1 || a.right > whole.right + 1 || a.top < whole.top - 1 || a.bottom > whole.bottom + 1)
          out.push(`${at}: ${name} leaves the picture`);
        for (const [other, b] of all.slice(i + 1))
          if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
            out.push(`${at}: ${name} and ${other}`);
      });
    }
    for (const name of svg.querySelectorAll('.name, .badge, .chip'))
      if (!(svg.querySelector('.ways').compareDocumentPosition(name) & 4)) out.push(`an arrow covers ${name.textContent}`);
    return [...new Set(out)];";

#[test]
fn no_name_and_no_piece_overlaps_another_or_leaves_the_picture_for_two_to_six_seats() {
    let board = geography::board("conquest2", &areas(), &[]).expect("the map has all of them");
    let mut board = board;
    for area in board.areas.iter_mut().filter(|area| area.kind == Kind::Key) {
        area.badge = if area.id == "italia" { "20/10/5" } else { "10/5" }.to_owned();
    }
    let mut numbers = Numbers(49);
    for seats in 2..=6 {
        let frames: Vec<Frame> = (0..40).map(|_| crowded(seats, &mut numbers)).collect();
        let pieces: usize = frames[0].view.areas.iter().map(Vec::len).sum();
        let replay = Replay { board: Some(board.clone()), frames, ..Replay::default() };
        let Some((browser, _dir)) = loaded(&replay_page("Replays", "", &[replay])) else { return };
        browser.click("button[data-go=first]");
        let drawn = browser.run("return document.querySelectorAll('[data-area] .chip').length");
        assert_eq!(drawn, pieces, "every piece is drawn");
        assert_eq!(browser.run(OVERLAPS), json!([]), "{seats} seats");
        assert_eq!(browser.console(), [""; 0]);
    }
}
