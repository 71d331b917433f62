/* search.js - finds pages, headings and rules by words; needs no server. */
"use strict";
(function () {
  const box = document.getElementById("search");
  const hits = document.getElementById("hits");
  const most = 30;
  const rows = searchIndex.map((row) => ({
    title: row[0], target: row[1], text: row[2],
    words: (row[0] + " " + row.slice(2).join(" ")).toLowerCase(),
    names: row[3].toLowerCase().split(/\s+/),
  }));
  box.closest("label").hidden = false;

  /* A title that is the word comes first, then what people call so, then a title
     that begins with it, and so on. */
  function rank(row, query) {
    const title = row.title.toLowerCase();
    return title === query ? 0
      : query.split(/\s+/).every((word) => row.names.includes(word)) ? 1
      : title.startsWith(query) ? 2 : title.includes(query) ? 3
      : row.text.toLowerCase().includes(query) ? 4 : 5;
  }

  box.addEventListener("input", function () {
    const query = box.value.trim().toLowerCase();
    const words = query.split(/\s+/).filter(Boolean);
    hits.textContent = "";
    if (!words.length) return;
    const found = rows.filter((row) => words.every((w) => row.words.includes(w)))
      .sort((a, b) => rank(a, query) - rank(b, query));
    const list = document.createElement("ul");
    for (const row of found.slice(0, most)) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = row.target;
      link.textContent = row.title;
      const text = document.createElement("span");
      text.textContent = row.text ? " " + row.text : "";
      item.append(link, text);
      list.append(item);
    }
    if (found.length > most || !found.length) {
      const item = document.createElement("li");
      item.textContent = found.length
        ? (found.length - most) + " more" : "Nothing found.";
      list.append(item);
    }
    hits.append(list);
  });
})();
