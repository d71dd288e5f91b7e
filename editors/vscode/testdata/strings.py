# SYNTAX TEST "source.python" "Selectors in strings of Python."
# language=pact
a = r""".seg
# a comment of the selector
    > .block"""
#     ^^^^^^ entity.name.type.pactsel
b = ".block"
#    ^^^^^^ - entity.name.type.pactsel
pact.compile('.block')
#             ^^^^^^ entity.name.type.pactsel
