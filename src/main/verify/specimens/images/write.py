"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install pillow==12.3.0
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
from importlib.metadata import version

from PIL import Image

os.chdir(os.path.dirname(os.path.abspath(__file__)))

pillow = f"pillow-{version('pillow')}"
plain = Image.radial_gradient("L").resize((20, 12))
colour = Image.merge("RGB", [plain, plain.rotate(90), plain.rotate(180)])
frames = [colour.rotate(angle) for angle in (0, 30, 60)]

colour.save(f"{pillow}--colour.png")
plain.point(lambda value: 255 * (value > 128)).convert("1").save(f"{pillow}--bits.png")
colour.quantize(8).save(f"{pillow}--palette.png", transparency=0)
colour.convert("RGBA").save(f"{pillow}--alpha.png", dpi=(72, 72))
Image.new("I;16", (3, 2), 40_000).save(f"{pillow}--deep.png")
frames[0].save(f"{pillow}--moving.png", save_all=True, append_images=frames[1:])

colour.save(f"{pillow}--colour.jpg")
colour.save(f"{pillow}--progressive.jpeg", progressive=True, restart_marker_blocks=1)
plain.save(f"{pillow}--gray.jpg", exif=Image.Exif())

colour.save(f"{pillow}--still.gif")
frames[0].save(f"{pillow}--moving.gif", save_all=True, append_images=frames[1:], loop=0)

colour.save(f"{pillow}--lossy.webp")
colour.save(f"{pillow}--lossless.webp", lossless=True)
frames[0].save(f"{pillow}--moving.webp", save_all=True, append_images=frames[1:])
