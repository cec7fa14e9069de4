#!/usr/bin/env python3
"""Makes assets/geography.txt, the coast and the areas of the boards that lie on the Mediterranean.

Run by hand, from anywhere:

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    pip install shapely==2.1.2
    python3 draw/geography/make.py package/land-50m.json

Input: land-50m.json of the npm package world-atlas 2.0.2 (ISC licence), which is the land of Natural Earth 1:50m
(version 4.1.0, public domain), and the hand-written lines of borders.py.

What happens: the land is projected (Lambert's conformal conic), the middle is drawn larger than the edges, the coast is
simplified, lines of borders.py cut land and water into faces, and each face belongs to the area whose point lies in it.
Each line between two areas is written once, with the area on its left and on its right, so that neighbours share it.
"""

import json
import math
import pathlib
import sys
from collections import defaultdict

import shapely
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box
from shapely.ops import polygonize, unary_union

import labels
from borders import FACES, LAND, NARROWS, NODES, SEA

HERE = pathlib.Path(__file__).parent
OUT = HERE.parent / "assets" / "geography.txt"

# Lambert's conformal conic: standard parallels and centre (Snyder 1987, pages 104 to 107; sphere of radius 1).
PARALLELS, CENTRE = (32.0, 47.0), (17.0, 40.0)
# How the middle is enlarged in either direction: far scale, what is added in the middle, where that is, how wide it is.
WARPS = ((0.80, 0.50, 0.07, 0.20), (0.62, 0.72, -0.015, 0.105))
# Units of the output for a unit of the sphere.
SCALE = 2240.0
# What is kept of the world, as longitude and latitude.
WEST, SOUTH, EAST, NORTH = -22.0, 12.0, 58.0, 64.0
# Tolerance of the simplified coast, smallest island of no area and of an area, and width of a narrow that is dug, in units.
TOLERANCE, ISLAND, OWN_ISLAND, DUG = 1.5, 60.0, 14.0, 6.0


def cone():
    a, b = (math.radians(x) for x in PARALLELS)
    t = lambda phi: math.tan(math.pi / 4 + phi / 2)
    n = math.log(math.cos(a) / math.cos(b)) / math.log(t(b) / t(a))
    f = math.cos(a) * t(a) ** n / n
    return n, f, f / t(math.radians(CENTRE[1])) ** n


N, F, RHO = cone()


def warp(value, far, near, middle, width):
    return far * value + near * width * math.tanh((value - middle) / width)


def project(lon, lat):
    """Longitude and latitude as units of the output, y downwards."""
    rho = F / math.tan(math.pi / 4 + math.radians(lat) / 2) ** N
    theta = N * math.radians(lon - CENTRE[0])
    x, y = rho * math.sin(theta), RHO - rho * math.cos(theta)
    return SCALE * warp(x, *WARPS[0]), -SCALE * warp(y, *WARPS[1])


def dense(points, step=1.0):
    """The points with others between them, so that long straight lines bend as the projection does."""
    out = [points[0]]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        n = max(1, math.ceil(max(abs(x1 - x0), abs(y1 - y0)) / step))
        out += [(x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n) for i in range(1, n + 1)]
    return out


def line(points, bend=True):
    points = [NODES[p] if isinstance(p, str) else p for p in points]
    return LineString([project(*p) for p in (dense(points) if bend else points)])


def land_of(path):
    """The land of a TopoJSON file, projected and cut."""
    topology = json.load(open(path))
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * sx + tx, y * sy + ty))
        arcs.append(points)
    ring = lambda ids: [p for i in ids for p in (arcs[i] if i >= 0 else arcs[~i][::-1])]
    frame = box(WEST, SOUTH, EAST, NORTH)
    parts = []
    for geometry in topology["objects"]["land"]["geometries"]:
        polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        for rings in polygons:
            polygon = Polygon(ring(rings[0]), [ring(hole) for hole in rings[1:]]).buffer(0)
            parts.append(polygon.intersection(frame))
    land = shapely.segmentize(unary_union(parts), 1.0)
    return shapely.transform(land, lambda all: [project(*p) for p in all]).buffer(0)


def polygons(shape):
    return [shape] if isinstance(shape, Polygon) else [p for p in getattr(shape, "geoms", []) if isinstance(p, Polygon)]


def faces(land, frame):
    """Land and water cut by the lines: pairs of a polygon and of what it belongs to."""
    cuts = [frame.boundary, land.boundary]
    cuts += [line(points).intersection(land.buffer(3.0)) for points in LAND]
    water = frame.difference(land)
    cuts += [line(points).intersection(water.buffer(3.0)) for points in SEA]
    all = list(polygonize(unary_union(cuts)))
    is_land = [land.contains(p.representative_point()) for p in all]
    owners = [None] * len(all)
    tree = shapely.STRtree(all)
    for owner, points in FACES.items():
        for point in points:
            where = Point(project(*point))
            found = [i for i in tree.query(where) if all[i].contains(where)]
            if not found:
                near = min((p.distance(where), i) for i, p in enumerate(all) if is_land[i] != is_sea(owner))
                print(f"{owner} {point}: in no face, the nearest is {near[0]:.1f} away")
                found = [near[1]]
            i = found[0]
            if is_land[i] == is_sea(owner):
                sys.exit(f"{owner} {point} lies in {'land' if is_sea(owner) else 'water'}")
            if owners[i] not in (None, owner):
                sys.exit(f"{owner} and {owners[i]} are one face")
            owners[i] = owner
    # Islands and slivers belong to what they touch most, or to the nearest.
    while None in owners:
        best = None
        for i, owner in enumerate(owners):
            if owner is not None:
                continue
            for j, other in enumerate(owners):
                if other is None or is_land[i] != is_land[j]:
                    continue
                shared = all[i].intersection(all[j]).length
                key = (-shared, all[i].distance(all[j]), i, j)
                best = min(best, key) if best else key
        if -best[0] <= 0.0 and best[1] > 200.0:
            print("far:", best, all[best[2]].area)
        owners[best[2]] = owners[best[3]]
    return list(zip(all, owners))


SEAS = {"-maeotis", "-suebicum", "-erythraeum", "-caspium"}


def is_sea(owner):
    return owner.startswith(("mare-", "oceanus-")) or owner in SEAS


def arcs_of(pieces):
    """Lines between areas, each once: left, right and points; without what lies within an area."""
    sides = {}
    for polygon, owner in pieces:
        polygon = shapely.geometry.polygon.orient(polygon, 1.0)
        for ring in [polygon.exterior, *polygon.interiors]:
            points = [(round(x), round(y)) for x, y in ring.coords]
            for a, b in zip(points, points[1:]):
                if a != b:
                    sides.setdefault((a, b), []).append(owner)
    edges = {}
    for (a, b), owners in sides.items():
        other = sides.get((b, a), [])
        left, right = owners[0], other[0] if other else ""
        if len(owners) > 1 or left == right:
            continue
        if a < b or not other:
            edges[(a, b)] = (left, right)
    # Points at which more than two lines meet, or at which sides change, end an arc.
    at = defaultdict(list)
    for (a, b), pair in edges.items():
        at[a].append((b, pair))
        at[b].append((a, pair[::-1]))
    ends = {p for p, out in at.items() if len(out) != 2 or out[0][1] != out[1][1][::-1]}
    used, arcs = set(), []

    def walk(a, b, pair):
        points = [a]
        while True:
            used.update([(a, b), (b, a)])
            points.append(b)
            if b in ends or b == points[0]:
                return points
            a, b = b, next(c for c, _ in at[b] if c != a)

    for start in [*sorted(ends), *sorted(at)]:
        for b, pair in sorted(at[start]):
            if (start, b) not in used:
                arcs.append((*pair, walk(start, b, pair)))
    return arcs


def main():
    land = land_of(sys.argv[1])
    for narrow in NARROWS:
        land = land.difference(line(narrow).buffer(DUG / 2))
    # Small islands go, unless a point of an area lies near.
    keep = [Point(project(*p)) for points in FACES.values() for p in points]
    islands = [p for p in polygons(land) if p.area >= ISLAND or (p.area >= OWN_ISLAND and any(p.distance(k) < 3 for k in keep))]
    land = MultiPolygon([Polygon(p.exterior, [h for h in p.interiors if Polygon(h).area > 400]) for p in islands])
    land = land.simplify(TOLERANCE).buffer(0)
    frame = box(*labels.EXTENT)
    land = MultiPolygon(polygons(land.intersection(frame)))
    pieces = faces(land, frame)
    arcs = arcs_of(pieces)
    by_owner = defaultdict(list)
    for polygon, owner in pieces:
        by_owner[owner].append(polygon)
    areas = {owner: unary_union(all) for owner, all in by_owner.items()}
    return areas, arcs


def write(areas, arcs, boards):
    names = sorted(areas)
    number = {name: i for i, name in enumerate(names)}
    out = ["# Made by geography/make.py from Natural Earth 1:50m (world-atlas 2.0.2): see there. Not to be edited."]
    mark = lambda name: ("~" if is_sea(name) else "+") + name
    out.append("faces " + " ".join(map(mark, names)))
    for left, right, points in arcs:
        code = lambda side: str(number[side]) if side else "-"
        (x, y), rest = points[0], []
        for a, b in zip(points, points[1:]):
            rest.append(f"{b[0] - a[0]},{b[1] - a[1]}")
        out.append(f"arc {code(left)} {code(right)} {x},{y} {' '.join(rest)}")
    out += boards
    OUT.write_text("\n".join(out) + "\n")
    print(OUT, OUT.stat().st_size, "bytes,", len(arcs), "arcs,", sum(len(a[2]) for a in arcs), "points")


if __name__ == "__main__":
    areas, arcs = main()
    write(areas, arcs, labels.boards(areas, project))
