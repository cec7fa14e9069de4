"""The import name `caesar`, which another package has on the index."""

from pathlib import Path


def refuse_another_package() -> None:
    """Refuse to go on where another package has put its files among those of this one."""
    place = Path(__file__).parent.parent
    for other in place.glob("caesar-*.*-info"):
        name, version = other.name.rsplit(".", 1)[0].split("-", 1)
        raise ImportError(
            f"the package {name} {version} in {place} has the same import name: "
            f"pip uninstall {name}, and install caesar-lab again"
        )
