/* report.js - what the page does beyond HTML: a filter, which the address keeps,
   sorting, copying. */
"use strict";
(function () {
  const box = document.getElementById("find");
  const said = document.getElementById("found");
  const marks = Array.from(document.querySelectorAll(".filter [type=checkbox]"));
  const rows = Array.from(document.querySelectorAll("[data-op]"), (row) => ({
    row: row,
    text: (row.dataset.op + " " + (row.dataset.text || "")).toLowerCase(),
  }));
  box.closest("label").hidden = false;

  function count(n, what) {
    return n + " " + what + (n === 1 ? "" : "s");
  }

  /* Every word must be found: "sort f16 crash". */
  function filter() {
    const words = box.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    let operations = 0, causes = 0, failures = 0;
    for (const r of rows) {
      const hit = words.every((word) => r.text.includes(word));
      r.row.hidden = !hit;
      operations += hit && r.row.closest(".matrix") ? 1 : 0;
      causes += hit && r.row.closest(".causes") ? 1 : 0;
      failures += hit && r.row.matches(".failure") ? 1 : 0;
    }
    for (const section of document.querySelectorAll("section.group"))
      section.hidden = !section.querySelector(".failure:not([hidden])");
    for (const fold of document.querySelectorAll("details.skipped")) {
      const hit = fold.querySelector("[data-op]:not([hidden])") !== null;
      fold.open = words.length > 0 && hit;
      fold.hidden = words.length > 0 && !hit;
    }
    said.textContent = words.length
      ? count(operations, "operation") + ", " + count(causes, "cause") + ", "
        + count(failures, "listed failure") : "";
  }

  /* "#?find=sort+f16&only-failed=1": what others see who follow the address.
     A place on the page (#causes) leaves the filter as it is. */
  function write() {
    const to = new URLSearchParams();
    if (box.value.trim()) to.set("find", box.value.trim());
    for (const mark of marks) if (mark.checked) to.set(mark.id, "1");
    const text = to.toString();
    history.replaceState(null, "", text ? "#?" + text : "#");
  }

  function read(search) {
    const hash = location.hash;
    const text = hash.startsWith("#?") ? hash.slice(2) : search;
    if (hash.length > 1 && !hash.startsWith("#?") && !search) return;
    const from = new URLSearchParams(text);
    box.value = from.get("find") || "";
    for (const mark of marks) mark.checked = from.get(mark.id) === "1";
    filter();
  }

  box.addEventListener("input", function () { filter(); write(); });
  for (const mark of marks) mark.addEventListener("change", write);
  window.addEventListener("hashchange", function () { read(""); });
  read(location.search.slice(1)); /* "?find=sort" counts only at the start */

  for (const table of document.querySelectorAll("table.sortable")) {
    const value = (row, i) => {
      const cell = row.cells[i];
      return cell.dataset.v !== undefined ? Number(cell.dataset.v)
        : cell.textContent;
    };
    Array.from(table.tHead.rows[0].cells).forEach(function (head, i) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", function () {
        const down = head.getAttribute("aria-sort") !== "descending";
        for (const other of table.tHead.rows[0].cells)
          other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const sorted = Array.from(table.tBodies[0].rows).sort(function (a, b) {
          const x = value(a, i), y = value(b, i);
          const order = typeof x === "number" && typeof y === "number"
            ? x - y : String(x).localeCompare(String(y), "en",
                                              { numeric: true });
          return down ? -order : order;
        });
        table.tBodies[0].append(...sorted);
      });
    });
  }

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
