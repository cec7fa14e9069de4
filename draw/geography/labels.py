"""Boards on the map: what part each shows, of which faces its areas are made, and where names and pieces stand.

A name stands above a slot for pieces. Both are boxes that overlap no other box; they lie within their area as far as there
is room. Texts are taken to be as wide as those of a wide font, so that boxes hold everywhere.
"""

import math
import pathlib
import tomllib

import numpy
import shapely
from shapely.geometry import box
from shapely.ops import unary_union

DATA = pathlib.Path(__file__).parents[2] / "engine" / "data"
# What part of the world is kept, in units.
EXTENT = (-1000, -690, 1020, 640)
# Widths of boards in their own units, sizes of letters in these, and widths of letters in parts of their size.
WIDTH, NAME, SEA_NAME, LETTER = 1000.0, 11.5, 10.5, 0.61
# Width and height of a badge for each letter in it and around it.
BADGE, BADGE_EDGE = 6.0, 9.0
# Room between boxes.
GAP = 3.0

GAUL = ["aquitania", "lugdunensis", "belgica", "narbonensis"]
SPAIN = ["lusitania", "hispania", "baetica"]
ITALY = ["cisalpina", "etruria", "neapolis"]
AFRICA = ["africa", "cirta", "zeugitana", "caesariensis", "tingitana"]
MEDITERRANEAN = ["adriatico", "aegaeum", "alexandria", "baliaricum", "epirus", "libycum", "narbo", "numidia", "pelusium",
                 "rhodus", "sabrata", "tyrrhenum"]

SPLIT = {"italia": ["cisalpina", "etruria"], "numidia": ["cirta", "zeugitana"]}
SHORT = {"africa": "Africa", "pontus-bithynia": "Pontus et|Bithynia", "arabia-petraea": "Arabia|Petraea"}

# Areas of boards whose rules know no geography.
IMPERIUM = {
    "africa": AFRICA + ["cyrenaica"],
    "syria": ["syria", "palestina", "arabia-petraea", "cyprus", "mesopotamia"],
    "illyricum": ["dalmatia", "pannonia", "noricum", "raetia"],
    "gallia": GAUL + ["germania"],
    "asia": ["asia", "galatia", "cilicia", "pontus-bithynia", "cappadocia", "armenia"],
    "hispania": SPAIN + ["baleares"],
    "macedonia": ["macedonia", "achaia", "thracia", "moesia", "creta"],
    "aegyptus": ["egypt"],
}
RISE = {
    "mediterranean-sea": ["mare-" + zone for zone in MEDITERRANEAN],
    "iberia": SPAIN + ["baleares"],
    "gaul": GAUL,
    "italy": ITALY + ["sicilia", "sardinia", "corsica"],
    "greece": ["macedonia", "achaia", "thracia", "creta", "dalmatia"],
    "asia-minor": ["asia", "galatia", "cilicia", "pontus-bithynia", "cappadocia"],
    "egypt": ["egypt", "-nubia"],
    "north-africa": AFRICA + ["cyrenaica", "-sahara"],
    "british-isles": ["britannia", "-hibernia", "-caledonia"],
    "northern-europe": ["-septentrio"],
    "central-europe": ["germania", "-germania-magna", "raetia", "noricum", "pannonia"],
    "eastern-europe": ["-sarmatia", "dacia", "moesia"],
    "middle-east": ["syria", "palestina", "arabia-petraea", "cyprus", "mesopotamia", "armenia", "-parthia", "-deserta"],
}
# Lands that lie elsewhere, as boxes.
TILES = {
    "north-america": (-985, -430, -740, -250),
    "south-america": (-985, -225, -740, -45),
    "china": (735, -560, 985, -390),
    "india": (770, 420, 1005, 590),
}
# Ways at sea, on each of which fleets have a station.
ROUTES = [("roma", "corsica"), ("carthago", "sardinia"), ("cannae", "sicilia"), ("corsica", "sardinia"), ("sicilia", "carthago")]
HANNIBAL = {
    "roma": ["etruria"],
    "cannae": ["neapolis"],
    "sicilia": ["sicilia"],
    "corsica": ["corsica"],
    "sardinia": ["sardinia"],
    "gallia": ["narbonensis", "aquitania"],
    "gallia-cisalpina": ["cisalpina"],
    "hispania-citerior": ["hispania"],
    "hispania-ulterior": ["lusitania", "baetica"],
    "mauritania": ["tingitana", "caesariensis"],
    "numidia": ["cirta"],
    "carthago": ["zeugitana", "africa"],
}


def title(id):
    return " ".join(word.capitalize() for word in id.split("-"))


def of_rules(name):
    """The provinces and zones of a file of rules: faces, text, width of the badge."""
    rules = tomllib.loads((DATA / f"{name}.toml").read_text())
    out = {}
    for province in rules["province"]:
        id = province["id"]
        paid = province.get("vp", [province["value"]] if "value" in province else [])
        # Where classic lets units be bought is worth a mark, what all are worth is not.
        badge = "/".join(map(str, paid)) if "vp" in province else ""
        out[id] = (SPLIT.get(id, [id]), SHORT.get(id, province["name"]), badge, False)
    for zone in rules["sea"]:
        text = zone["name"]
        out[zone["id"]] = ([zone["id"]], text.replace(" ", "|", 1), "", True)
    return out


BOARDS = {
    "conquest2": ((-865, -552, 905, 528), lambda: of_rules("conquest2")),
    "imperium": ((-865, -552, 905, 528), lambda: {
        id: (faces, title(id), "0/0/0/0", False) for id, faces in IMPERIUM.items()}),
    "hannibal": ((-870, -330, 190, 330), lambda: {id: (faces, title(id).replace(" ", "|"), "", False) for id, faces in HANNIBAL.items()}),
    "rise": ((-1000, -690, 1020, 640), lambda: {
        id: (RISE.get(id, []), title(id).replace("Sea", "|Sea"), "6/3", id == "mediterranean-sea")
        for id in [*RISE, *TILES]}),
}


class Placed:
    """An area that is placed: the boxes of its name and of its pieces."""

    def __init__(self, id, shape, lines, badge, sea, unit, frame):
        self.id, self.shape, self.lines, self.sea = id, shape, lines, sea
        size = (SEA_NAME if sea else NAME) * unit
        self.label = (max(len(t) for t in lines) * size * LETTER, len(lines) * size * 1.12 if any(lines) else 0.0)
        if badge:
            width = (len(badge) * BADGE + BADGE_EDGE) * unit
            self.label = (self.label[0] + width, max(self.label[1], 14.0 * unit))
        slot = (44, 17) if sea else (84, 34) if badge else (56, 17)
        self.slot = (slot[0] * unit, slot[1] * unit)
        self.unit = unit
        seen = shape.intersection(frame)
        whole = max(getattr(seen, "geoms", [seen]), key=lambda part: part.area)
        self.pole = shapely.maximum_inscribed_circle(whole, tolerance=2.0).coords[0]  # the middle of the largest disc in it
        self.boxes = []

    def size(self):
        return max(self.label[0], self.slot[0]), self.label[1] + self.slot[1] + 1.5 * self.unit

    def at(self, x, y):
        """The boxes of the name and of the slot below it, if the middle of both is here."""
        w, h = self.size()
        top = y - h / 2
        (lw, lh), (sw, sh) = self.label, self.slot
        return [(x - lw / 2, top, x + lw / 2, top + lh), (x - sw / 2, y + h / 2 - sh, x + sw / 2, y + h / 2)]


def place(all, frame, obstacles, unit):
    """Gives each area its boxes: best place first for what has least room, then some rounds of second thoughts."""
    land = {p.id: p.shape for p in all if not p.sea}
    water = frame.difference(unary_union(list(land.values())))
    step = 5.0
    options = {}
    for p in all:
        w, h = p.size()
        x0, y0, x1, y1 = p.shape.intersection(frame).bounds
        reach = 46.0 * unit
        edge = 3 * unit
        xs = numpy.arange(max(x0 - reach, frame.bounds[0] + w / 2 + edge), min(x1 + reach, frame.bounds[2] - w / 2 - edge), step)
        ys = numpy.arange(max(y0 - reach, frame.bounds[1] + h / 2 + edge), min(y1 + reach, frame.bounds[3] - h / 2 - edge), step)
        X, Y = (a.ravel() for a in numpy.meshgrid(xs, ys))
        lw, sw = p.label[0], p.slot[0]
        labels = shapely.box(X - lw / 2, Y - h / 2, X + lw / 2, Y - h / 2 + p.label[1])
        slots = shapely.box(X - sw / 2, Y + h / 2 - p.slot[1], X + sw / 2, Y + h / 2)
        shapely.prepare(p.shape)
        size = p.label[0] * p.label[1] + p.slot[0] * p.slot[1]
        part = lambda shape, a, b: shapely.area(shapely.intersection(a, shape)) + shapely.area(shapely.intersection(b, shape))
        inside = part(p.shape, labels, slots) / size
        wet = part(water, labels, slots) / size if not p.sea else 0.0
        others = numpy.clip(1.0 - inside - wet, 0.0, 1.0)
        far = numpy.hypot(X - p.pole[0], Y - p.pole[1]) / (60.0 * unit)
        away = shapely.distance(labels, p.shape) / (20.0 * unit)
        crossed = shapely.area(shapely.intersection(shapely.union(labels, slots), obstacles)) / size
        cost = 2.2 * others + (1.0 - inside) * 1.2 + 0.25 * far + 1.5 * away + 8.0 * crossed
        order = numpy.argsort(cost, kind="stable")
        options[p.id] = (X[order], Y[order], cost[order])
    gap = GAP * unit
    apart = lambda a, b: a[0] >= b[2] + gap or b[0] >= a[2] + gap or a[1] >= b[3] + gap or b[1] >= a[3] + gap
    order = sorted(all, key=lambda p: (p.shape.intersection(frame).area / (p.size()[0] * p.size()[1]), p.id))
    for turn in range(6):
        for p in order:
            taken = [b for q in all if q is not p for b in q.boxes]
            X, Y, cost = options[p.id]
            for x, y, c in zip(X, Y, cost):
                boxes = p.at(x, y)
                if all_apart(boxes, taken, apart):
                    p.boxes, p.cost = boxes, c
                    break
            else:
                raise SystemExit(f"no room for {p.id}")


def all_apart(boxes, taken, apart):
    return all(apart(a, b) for a in boxes for b in taken)


def narrow(a, b):
    """The line between two areas where they are nearest."""
    return shapely.shortest_line(a, b)


def station(shapes, a, b, unit, frame):
    """The place of fleets between two areas: in the water around the middle of the shortest way."""
    middle = narrow(shapes[a], shapes[b]).interpolate(0.5, normalized=True)
    return Placed(f"{a}-{b}", middle.buffer(42.0 * unit).difference(unary_union(list(shapes.values()))), [""], "", True, unit, frame)


def crossings(name, shapes):
    """Lines where arrows are drawn, which names leave free."""
    rules = tomllib.loads((DATA / f"{name}.toml").read_text())
    pairs = [strait["between"] for strait in rules.get("strait", [])]
    lines = [narrow(shapes[a], shapes[b]) for a, b in pairs if a in shapes and b in shapes]
    return unary_union([line.buffer(14.0) for line in lines]) if lines else shapely.Point(1e6, 1e6)


def boards(areas, project):
    """The lines of all boards."""
    out = []
    for name, (extent, made) in BOARDS.items():
        frame, unit = box(*extent), (extent[2] - extent[0]) / WIDTH
        all, shapes = [], {}
        for id, (faces, text, badge, sea) in made().items():
            shape = box(*TILES[id]) if id in TILES and name == "rise" else unary_union([areas[f] for f in faces])
            shapes[id] = shape
            all.append(Placed(id, shape, text.split("|"), badge, sea, unit, frame))
        if name == "hannibal":
            all += [station(shapes, *ends, unit, frame) for ends in ROUTES]
        place(all, frame, crossings(name, shapes), unit)
        out.append("board " + name + " " + " ".join(map(str, extent)))
        faces = {id: entry[0] for id, entry in made().items()}
        for p in all:
            numbers = " ".join(str(round(v)) for b in [p.pole, *p.boxes] for v in b)
            made_of = ",".join(faces.get(p.id, [])) or "-"
            out.append(f"area {p.id} {made_of} {numbers} {'|'.join(p.lines).strip()}")
            if p.id in TILES and name == "rise":
                out.append("tile " + " ".join(map(str, TILES[p.id])))
        worst = sorted(all, key=lambda p: -p.cost)[:6]
        print(name, [(p.id, round(float(p.cost), 2)) for p in worst])
    return out
