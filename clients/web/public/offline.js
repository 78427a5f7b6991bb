// The page without a connection: in the player's language, and gone as soon as the server answers again.
(function () {
  var language = navigator.language.slice(0, 2);
  try {
    language = JSON.parse(localStorage.getItem("brettwerk.settings") || "{}").language || language;
  } catch {
    // Without storage the browser's language it is.
  }
  var sections = document.querySelectorAll("section");
  if (![].some.call(sections, (section) => section.lang === language)) language = "en";
  document.documentElement.lang = language;
  sections.forEach(function (section) {
    section.hidden = section.lang !== language;
  });

  function look() {
    fetch("/v1/health", { cache: "no-store" }).then(
      function (response) {
        if (response.ok) location.reload();
      },
      function () {},
    );
  }
  document.querySelectorAll("button").forEach(function (button) {
    button.addEventListener("click", function () {
      location.reload();
    });
  });
  addEventListener("online", look);
  setInterval(look, 5000);
})();
