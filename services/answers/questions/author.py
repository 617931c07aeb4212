"""What stands where an author is named. It imports nothing, as the help of commands says it."""

from typing import Final

#: Stands in the text until a person puts a name there.
AUTHOR: Final = "[author]"
