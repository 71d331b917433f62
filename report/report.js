/* report.js - what the page does beyond HTML: a filter by name, copying. */
"use strict";
(function () {
  const box = document.getElementById("find");
  const said = document.getElementById("found");
  const rows = Array.from(document.querySelectorAll("[data-op]"));
  box.closest("label").hidden = false;
  box.addEventListener("input", function () {
    const want = box.value.trim().toLowerCase();
    let n = 0;
    for (const row of rows) {
      const hit = row.dataset.op.toLowerCase().includes(want);
      row.hidden = !hit;
      n += hit && row.closest(".matrix") ? 1 : 0;
    }
    said.textContent = want ? n + " operations" : "";
  });
  for (const pre of document.querySelectorAll(".again pre")) {
    if (!navigator.clipboard) break;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(pre.textContent).then(function () {
        button.textContent = "Copied";
      });
    });
    pre.after(button);
  }
})();
