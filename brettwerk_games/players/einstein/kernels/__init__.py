"""The inner loops. Each module runs compiled or, slower and with the same answers, as it is."""
