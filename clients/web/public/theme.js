// Sets the chosen theme before the first paint; a file of its own, since the page's policy forbids inline scripts.
(function () {
  try {
    var theme = localStorage.getItem("brettwerk.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the system's theme it is.
  }
})();
