"""The live view: messages for the browser, and the sessions whose runs they show."""
