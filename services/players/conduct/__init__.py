"""How players behave in games with people: how reliably they finish them, pauses of leavers, measures against rating abuse."""
