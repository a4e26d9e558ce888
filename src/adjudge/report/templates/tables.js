"use strict";
// Lists can be sorted by a click on a head and searched; without a script they are read as they stand.
(() => {
  const FEW = 8;
  function value(row, place) {
    const text = row.cells[place].textContent.trim();
    const number = Number(text.replace(/[<>,\s]/g, "").replace("−", "-"));
    return text !== "" && !Number.isNaN(number) ? number : text;
  }
  function compare(a, b) {
    const kinds = [typeof a, typeof b];
    if (kinds[0] !== kinds[1]) return kinds[0] === "number" ? -1 : 1;
    return kinds[0] === "number" ? a - b : a.localeCompare(b);
  }
  function sort(table, head, place) {
    const falling = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => (falling ? -1 : 1) * compare(value(a, place), value(b, place)));
    table.tBodies[0].append(...rows);
  }
  for (const list of document.querySelectorAll(".list")) {
    const table = list.querySelector("table");
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      head.tabIndex = 0;
      head.classList.add("sorts");
      head.addEventListener("click", () => sort(table, head, place));
      head.addEventListener("keydown", (event) => {
        if (event.key === "Enter") sort(table, head, place);
      });
    });
    if (table.tBodies[0].rows.length < FEW) continue;
    const search = document.createElement("input");
    search.type = "search";
    search.placeholder = "Search";
    search.setAttribute("aria-label", `Search in ${list.querySelector("h3").textContent}`);
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase();
      for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(words);
    });
    list.querySelector(".scroll").before(search);
  }
})();
