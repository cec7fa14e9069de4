"""Borders of provinces and sea zones as longitude and latitude, written by hand after atlases of the empire.

A line runs along named junctions (texts) and plain vertices; where it ends at a coast, its last vertex lies beyond it.
"""

# Junctions, where lines meet.
NODES = {
    "anas": (-5.0, 38.8),            # Lusitania, Baetica, Hispania
    "pyrenees": (0.7, 42.65),        # Hispania, Aquitania, Narbonensis
    "cevennes": (4.2, 45.2),         # Aquitania, Narbonensis, Lugdunensis
    "rhodanus": (5.3, 45.9),         # Narbonensis, Lugdunensis, Germania
    "lemannus": (6.6, 46.5),         # Narbonensis, Germania, Raetia
    "poeninus": (7.1, 45.9),         # Narbonensis, Raetia, Italia
    "mosa": (5.9, 48.0),             # Belgica, Lugdunensis, Germania
    "abusina": (11.4, 48.95),        # Germania, Raetia, beyond
    "batavis": (13.2, 48.75),        # Raetia, Noricum, beyond
    "brennus": (12.1, 46.7),         # Raetia, Noricum, Italia
    "karawanks": (14.5, 46.4),       # Noricum, Italia, Pannonia
    "nauportus": (14.9, 45.75),      # Italia, Pannonia, Dalmatia
    "vindobona": (16.5, 48.2),       # Noricum, Pannonia, beyond
    "drinus": (19.9, 44.6),          # Pannonia, Dalmatia, Moesia
    "singidunum": (20.6, 44.8),      # Pannonia, Moesia, Dacia
    "carpathians": (21.3, 48.1),     # Pannonia, Dacia, beyond
    "tyras": (28.2, 45.45),          # Moesia, Dacia, beyond
    "scardus": (20.9, 42.0),         # Dalmatia, Moesia, Macedonia
    "rhodope": (22.9, 42.1),         # Moesia, Macedonia, Thracia
    "sangarius": (30.3, 39.9),       # Asia, Bithynia, Galatia
    "halys": (34.4, 40.6),           # Bithynia, Galatia, Cappadocia
    "taurus": (34.0, 38.0),          # Galatia, Cappadocia, Cilicia
    "amanus": (36.6, 37.6),          # Cilicia, Cappadocia, Syria
    "melitene": (38.4, 38.0),        # Cappadocia, Syria, Armenia
    "samosata": (39.3, 37.2),        # Syria, Armenia, Mesopotamia
    "corduene": (44.6, 37.0),        # Armenia, Mesopotamia, beyond
    "dura": (41.6, 34.2),            # Syria, Mesopotamia, beyond
    "hermon": (36.2, 32.75),         # Syria, Palestina, Arabia
    "palmyrene": (38.7, 32.6),       # Syria, Arabia, beyond
    "idumaea": (34.4, 30.6),         # Palestina, Arabia, Egypt
    "siwa": (25.0, 29.0),            # Egypt, Cyrenaica, beyond
    "syene": (25.0, 23.9),           # Egypt, beyond
    "philaeni": (19.2, 28.9),        # Cyrenaica, Africa, beyond
    "gaetulia": (7.7, 32.7),         # Africa, Numidia, beyond
    "hodna": (4.4, 33.0),            # Numidia, Caesariensis, beyond
    "mulucha": (-2.4, 33.1),         # Caesariensis, Tingitana, beyond
    "bagradas": (8.3, 35.3),         # Africa, Cirta, Zeugitana
}

LAND = [
    # The peninsulas of the west; Durius, Anas, Pyrenees.
    [(-9.2, 41.2), (-7.6, 41.15), (-6.3, 41.5), (-5.2, 40.7), (-4.8, 39.6), "anas"],
    [(-7.4, 36.8), (-7.45, 37.6), (-7.1, 38.3), (-6.2, 38.85), "anas"],
    ["anas", (-3.7, 38.45), (-2.6, 38.0), (-1.9, 37.3), (-1.7, 36.7)],
    [(-1.85, 43.8), (-1.6, 43.2), (-0.6, 42.85), "pyrenees"],
    ["pyrenees", (1.7, 42.5), (2.7, 42.45), (3.6, 42.45)],
    # Gaul: Liger, Sequana, Rhenus.
    ["pyrenees", (1.4, 43.5), (2.4, 44.1), (3.5, 44.5), "cevennes"],
    ["cevennes", (3.6, 46.2), (3.0, 47.1), (2.0, 47.75), (0.9, 47.45), (-0.9, 47.35), (-2.8, 47.2)],
    ["cevennes", "rhodanus", (6.0, 46.1), "lemannus", "poeninus"],
    [(0.9, 50.1), (2.0, 49.7), (3.6, 49.0), (4.7, 48.4), "mosa"],
    ["mosa", (5.4, 47.1), "rhodanus"],
    [(3.6, 52.0), (4.9, 51.85), (6.0, 51.5), (6.3, 50.5), (6.7, 49.4), (6.6, 48.6), "mosa"],
    # The Alps and the Danube.
    ["poeninus", (6.9, 45.2), (6.8, 44.6), (7.4, 44.1), (7.5, 43.4)],
    ["poeninus", (8.3, 46.35), (9.3, 46.25), (10.4, 46.6), "brennus"],
    ["lemannus", (7.2, 47.3), (8.6, 47.75), (9.3, 48.3), (10.3, 48.75), "abusina"],
    ["abusina", (12.1, 49.05), "batavis"],
    ["brennus", (12.7, 47.5), (12.9, 48.2), "batavis"],
    ["brennus", (13.5, 46.55), "karawanks", "nauportus", (14.5, 45.4), (14.2, 45.1)],
    ["karawanks", (15.7, 46.7), (16.1, 47.5), "vindobona"],
    ["batavis", (14.2, 48.3), (15.4, 48.35), "vindobona"],
    ["vindobona", (17.3, 47.95), (18.8, 47.85), (19.6, 48.25), "carpathians"],
    ["nauportus", (16.4, 45.15), (18.4, 44.85), "drinus", "singidunum"],
    ["singidunum", (20.3, 45.6), (20.3, 46.6), (20.8, 47.6), "carpathians"],
    ["singidunum", (22.2, 44.55), (22.8, 43.9), (24.9, 43.7), (26.4, 44.05), (27.8, 44.2), (28.0, 45.1), "tyras",
     (30.2, 45.3)],
    ["tyras", (28.9, 46.5), (28.3, 47.8), (26.6, 48.5), (24.2, 48.5), "carpathians"],
    # Italy: Rubico, Apenninus, Liris.
    [(9.9, 43.85), (10.4, 44.15), (11.6, 44.1), (12.9, 44.05)],
    [(13.0, 41.1), (13.5, 41.55), (13.8, 42.1), (14.6, 42.5)],
    # Illyria and Greece.
    ["drinus", (19.5, 43.7), (20.2, 42.8), "scardus", (20.5, 41.3), (20.2, 40.7), (19.0, 40.55)],
    ["scardus", (21.9, 42.3), "rhodope", (23.7, 42.75), (25.6, 42.75), (28.3, 42.6)],
    ["rhodope", (23.8, 41.6), (24.1, 41.1), (24.3, 40.6)],
    [(19.8, 39.55), (20.8, 39.75), (21.7, 39.85), (22.3, 40.1), (23.0, 39.95)],
    # Asia Minor: Sangarius, Halys, Taurus; Euphrates.
    [(28.6, 40.6), (29.0, 40.15), "sangarius"],
    ["sangarius", (30.7, 39.1), (30.0, 38.1), (29.6, 37.3), (28.8, 36.9), (28.6, 36.5)],
    ["sangarius", (31.6, 40.3), (33.0, 40.8), "halys", (35.9, 40.5), (37.0, 40.8), (37.4, 41.4)],
    ["halys", (34.4, 39.6), (33.6, 38.9), "taurus"],
    ["taurus", (32.9, 37.7), (32.3, 37.1), (32.0, 36.2)],
    ["taurus", (35.2, 37.8), "amanus", "melitene"],
    ["amanus", (36.5, 37.0), (36.1, 36.75), (35.7, 36.7)],
    ["melitene", (38.9, 38.9), (39.4, 39.9), (39.7, 40.6), (39.9, 41.4)],
    ["melitene", "samosata", (41.0, 37.3), (42.8, 37.3), "corduene"],
    ["samosata", (38.2, 36.7), (39.0, 35.9), (40.4, 34.9), "dura"],
    [(41.2, 42.6), (42.6, 42.2), (44.2, 41.5), (46.2, 40.9), (46.7, 39.2), (45.6, 37.9), "corduene"],
    ["corduene", (44.6, 35.6), (45.5, 34.2), (47.4, 32.4), (47.0, 31.0), (45.2, 31.5), (43.6, 32.7), "dura"],
    # The Levant and Africa.
    ["dura", (40.2, 33.4), "palmyrene", "hermon"],
    ["hermon", (35.8, 33.1), (34.8, 33.2)],
    ["hermon", (35.8, 31.9), (35.6, 31.2), "idumaea"],
    ["idumaea", (33.8, 31.5)],
    ["idumaea", (33.3, 30.2), (32.4, 29.9)],
    ["palmyrene", (38.9, 30.2), (37.8, 28.4), (35.0, 27.4)],
    ["siwa", (24.9, 30.3), (25.2, 32.2)],
    ["siwa", "syene", (25.0, 10.0)],
    ["syene", (36.5, 23.8)],
    ["siwa", (22.0, 28.7), "philaeni", (19.2, 31.0)],
    ["philaeni", (15.0, 29.6), (11.0, 30.6), "gaetulia"],
    ["gaetulia", (7.9, 34.3), "bagradas", (9.4, 36.0), (10.9, 36.2)],
    ["bagradas", (8.2, 36.2), (8.7, 37.4)],
    ["gaetulia", "hodna", (4.7, 34.6), (5.0, 35.9), (5.3, 37.3)],
    ["hodna", (1.0, 33.4), "mulucha", (-2.3, 35.6)],
    ["mulucha", (-5.0, 32.0), (-8.0, 32.6), (-11.0, 33.0)],
    # Beyond the frontiers.
    ["abusina", (12.2, 50.2), (12.0, 51.8), (10.8, 53.2), (9.2, 53.75), (8.5, 54.1)],
    [(-4.0, 54.9), (-3.0, 55.0), (-1.0, 55.05)],
    ["carpathians", (22.3, 50.0), (20.6, 52.0), (19.4, 55.0)],
    [(10.8, 53.2), (10.9, 54.6)],
    [(27.6, 60.0), (29.5, 61.5), (30.5, 70.0)],
    [(39.0, 43.3), (40.6, 43.6), (43.0, 42.9), (45.8, 42.0), (48.6, 41.4), (50.6, 41.6)],
    [(51.5, 40.5), (60.0, 40.5)],
    ["corduene", (47.5, 35.0), (47.4, 32.4), (48.2, 30.4), (48.8, 29.6)],
]

SEA = [
    [(-45.0, 36.0), (-9.2, 38.75)],                                  # Hispalis, Cantabricum
    [(-5.75, 36.4), (-5.75, 35.4)],                                  # Hispalis, Baliaricum
    [(-1.0, 44.6), (-4.0, 45.2), (-45.0, 46.0)],                     # Cantabricum, Atlanticus
    [(-4.3, 48.4), (-7.0, 49.0), (-45.0, 52.0)],                     # Atlanticus, Britannicus
    [(0.4, 40.8), (1.6, 40.3), (2.8, 39.7)],                         # Baliaricum, Narbo
    [(3.0, 39.6), (3.1, 38.6), (3.4, 36.5)],                         # Baliaricum, Numidia
    [(3.2, 39.75), (4.1, 39.97)],                                    # Narbo, Numidia: Mallorca to Menorca
    [(4.1, 39.97), (6.0, 39.5), (8.8, 39.0)],                        # Narbo, Numidia
    [(9.2, 39.3), (9.9, 38.8), (12.3, 38.1), (12.8, 38.0)],          # Numidia, Tyrrhenum
    [(10.8, 36.9), (11.6, 37.4), (12.7, 37.75)],                     # Numidia, Sabrata
    [(9.15, 41.8), (9.25, 40.9)],                                    # Narbo, Tyrrhenum: Corsica to Sardinia
    [(9.4, 42.7), (9.5, 43.2), (10.8, 43.1)],                        # Narbo, Tyrrhenum: Corsica to Italia
    [(15.3, 38.25), (15.9, 38.15)],                                  # Tyrrhenum, Epirus
    [(14.5, 36.95), (14.3, 35.4), (13.4, 32.5)],                     # Sabrata, Libycum
    [(15.0, 37.1), (18.0, 36.4), (23.8, 35.4)],                      # Libycum, Epirus
    [(18.2, 40.1), (18.9, 40.7), (20.0, 41.5)],                      # Adriatico, Epirus
    [(22.9, 36.9), (23.2, 36.1), (23.8, 35.4)],                      # Epirus, Aegaeum
    [(24.7, 35.1), (24.0, 33.8), (22.9, 32.4)],                      # Libycum, Alexandria
    [(26.05, 35.07), (26.2, 35.3), (27.2, 35.7), (27.5, 36.5), (28.3, 36.8)],        # Aegaeum, Rhodus
    [(26.1, 35.05), (29.0, 34.5), (32.7, 34.95)],                    # Rhodus, Alexandria
    [(32.9, 34.8), (31.8, 33.4), (31.0, 31.2)],                      # Alexandria, Pelusium
    [(34.0, 35.4), (35.0, 35.6), (36.2, 35.5)],                      # Rhodus, Pelusium
    [(26.3, 40.33), (26.6, 40.03)],                     # Aegaeum, Pontus Euxinus
    [(34.6, 45.3), (34.9, 44.0), (35.1, 41.6)],                      # Pontus Euxinus, Amisus
    [(35.9, 45.6), (36.9, 45.1)],                                    # Amisus, Maeotis
    [(10.2, 57.3), (10.6, 57.8), (11.0, 58.6), (11.8, 59.3)],                      # Britannicus, Suebicum
]

# Narrows that are too small for the scale and are dug: from, over, to.
NARROWS = [
    [(28.95, 40.9), (29.1, 41.3)],
    [(26.0, 39.95), (26.4, 40.2), (26.8, 40.45), (27.3, 40.6)],
    [(15.6, 38.0), (15.62, 38.3)],
    [(-5.8, 35.95), (-5.2, 36.0)],
]

# Points in each face. Land that is of no province, and water that is of no zone, has a face of its own.
FACES = {
    "achaia": [(22.3, 38.6), (22.2, 37.4), (23.9, 38.5)],
    "africa": [(9.8, 33.2)],
    "aquitania": [(0.3, 45.0)],
    "arabia-petraea": [(37.0, 30.5), (33.8, 29.2)],
    "armenia": [(43.0, 40.0)],
    "asia": [(28.3, 38.6), (28.0, 36.2), (26.3, 39.2), (26.1, 38.4), (26.8, 37.75)],
    "baetica": [(-5.0, 37.4)],
    "baleares": [(3.0, 39.6), (1.4, 39.0), (4.1, 39.97)],
    "belgica": [(4.0, 50.2)],
    "britannia": [(-1.2, 52.3)],
    "caesariensis": [(2.0, 35.6)],
    "cappadocia": [(36.5, 39.2)],
    "cilicia": [(34.0, 37.0)],
    "corsica": [(9.1, 42.2)],
    "creta": [(24.9, 35.2)],
    "cyprus": [(33.2, 35.0)],
    "cyrenaica": [(21.8, 32.2)],
    "dacia": [(24.5, 46.2)],
    "dalmatia": [(17.3, 43.9)],
    "egypt": [(30.2, 27.8)],
    "galatia": [(32.3, 39.3)],
    "germania": [(8.3, 50.6)],
    "hispania": [(-2.5, 40.8)],
    "cisalpina": [(10.0, 45.2)],
    "etruria": [(12.3, 42.6)],
    "lugdunensis": [(0.6, 48.3)],
    "lusitania": [(-7.8, 39.4)],
    "macedonia": [(21.8, 41.0)],
    "mesopotamia": [(42.0, 35.9)],
    "moesia": [(25.6, 43.3)],
    "narbonensis": [(4.6, 43.9)],
    "neapolis": [(15.6, 40.8)],
    "noricum": [(14.0, 47.2)],
    "cirta": [(6.5, 35.2)],
    "zeugitana": [(9.6, 36.6)],
    "palestina": [(35.1, 31.8)],
    "pannonia": [(18.0, 46.4)],
    "pontus-bithynia": [(33.0, 41.4)],
    "raetia": [(10.0, 47.4)],
    "sardinia": [(9.0, 40.0)],
    "sicilia": [(14.1, 37.5)],
    "syria": [(37.6, 34.9)],
    "thracia": [(26.2, 42.0)],
    "tingitana": [(-5.2, 34.3)],
    "-hibernia": [(-8.0, 53.2)],
    "-caledonia": [(-4.2, 57.0)],
    "-germania-magna": [(15.0, 51.5)],
    "-septentrio": [(9.3, 55.8), (14.0, 60.0), (11.8, 55.5)],
    "-sarmatia": [(31.0, 50.0)],
    "-parthia": [(48.0, 37.0)],
    "-deserta": [(44.0, 28.0)],
    "-nubia": [(29.0, 22.6)],
    "-sahara": [(10.0, 26.0)],
    "mare-adriatico": [(15.2, 43.0)],
    "mare-aegaeum": [(25.0, 38.7)],
    "mare-alexandria": [(28.0, 33.0)],
    "mare-amisus": [(38.5, 42.3)],
    "mare-baliaricum": [(0.2, 37.6)],
    "mare-cantabricum": [(-5.0, 44.6)],
    "mare-epirus": [(18.6, 38.3)],
    "mare-hispalis": [(-8.5, 36.2)],
    "mare-libycum": [(18.5, 34.0)],
    "mare-narbo": [(5.6, 41.6)],
    "mare-numidia": [(6.6, 38.2)],
    "mare-pelusium": [(33.2, 32.6)],
    "mare-pontus-euxinus": [(31.0, 43.4), (28.2, 40.7)],
    "mare-rhodus": [(29.6, 35.6)],
    "mare-sabrata": [(12.2, 36.3)],
    "mare-tyrrhenum": [(12.0, 40.2)],
    "oceanus-atlanticus": [(-4.0, 46.6)],
    "oceanus-britannicus": [(2.6, 52.6), (3.0, 57.0)],
    "-maeotis": [(36.5, 46.0)],
    "-suebicum": [(18.0, 55.5), (12.0, 57.0)],
    "-erythraeum": [(36.0, 25.0)],
    "-caspium": [(49.5, 43.0)],
}
