"use strict";
// Tables sort, filter and copy; links open folds. Without a script everything is still there to be read.
(() => {
  const LONG = 12;
  // Without the marks around words that are written from right to left.
  const plain = (text) => text.replace(/[\u2068\u2069]/g, "").replace(/\s+/g, " ").trim();

  function number(text) {
    const bare = text.replace(/−/g, "-").replace(/[<>,%+\s]/g, "");
    return /^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(bare) ? Number(bare) : NaN;
  }
  // What a cell is sorted by: the number it begins with, or its text.
  function key(cell) {
    const shown = cell.querySelector("bdi, b") ?? cell.firstChild ?? cell;
    const text = plain(shown.textContent);
    const value = number(text);
    return Number.isNaN(value) ? text : value;
  }
  function compare(a, b) {
    const kinds = [typeof a, typeof b];
    if (kinds[0] !== kinds[1]) return kinds[0] === "number" ? -1 : 1;
    return kinds[0] === "number" ? a - b : a.localeCompare(b);
  }
  function sort(table, head) {
    const place = head.cellIndex;
    const falling = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows].map((row) => [key(row.cells[place]), row]);
    rows.sort((a, b) => (falling ? -1 : 1) * compare(a[0], b[0]));
    table.tBodies[0].append(...rows.map((one) => one[1]));
  }

  // What is copied begins like no formula of a spreadsheet; numbers are written as programs read them.
  function field(shown) {
    let text = plain(shown);
    const value = number(text);
    if (!Number.isNaN(value) && !/[<>%]/.test(text)) text = text.replace(/−/g, "-").replace(/[,+\s]/g, "");
    else if (/^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  }
  const csv = (rows) => rows.map((row) => row.map(field).join(",") + "\r\n").join("");
  function shown(cell) {
    const copy = cell.cloneNode(true);
    for (const gone of copy.querySelectorAll("[aria-hidden], svg, .hidden, .narrow")) gone.remove();
    return copy.textContent;
  }
  function shownRows(table) {
    const kept = (cell) => !cell.classList.contains("strip") && !cell.hasAttribute("data-picture");
    const places = [...table.tHead.rows[0].cells].map((cell, place) => (kept(cell) ? place : -1)).filter((at) => at >= 0);
    const rows = [table.tHead.rows[0], ...table.tBodies[0].rows].filter((row) => !row.hidden);
    return rows.map((row) => places.map((at) => shown(row.cells[at])));
  }
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }
  // A table, or what a picture shows: `tables` gives lists of rows, each with its heads.
  function copier(title, tables) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy as CSV";
    button.setAttribute("aria-label", `Copy as CSV: ${title}`);
    button.addEventListener("click", async () => {
      await copy(tables().map(csv).join("\r\n"));
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy as CSV"; }, 2000);
    });
    return button;
  }
  window.adjudge = { copier };

  function named(list) {
    const title = list.querySelector("h3") ?? list.closest("figure")?.querySelector("h3") ?? list.closest("section, details.fold")?.querySelector("h2");
    return plain(title?.textContent ?? "this table");
  }
  function sortable(table) {
    for (const head of table.tHead.rows[0].cells) {
      if (head.tagName !== "TH" || head.classList.contains("strip") || head.hasAttribute("data-picture")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head));
      head.append(button);
    }
  }
  function tools(list, table) {
    const bar = document.createElement("div");
    bar.className = "tools";
    const rows = table.tBodies[0].rows;
    if (rows.length >= LONG) {
      const search = document.createElement("input");
      search.type = "search";
      search.placeholder = "Filter";
      search.setAttribute("aria-label", `Filter ${named(list)}`);
      const told = document.createElement("span");
      told.setAttribute("role", "status");
      search.addEventListener("input", () => {
        const wanted = search.value.toLowerCase();
        let shown = 0;
        for (const row of rows) {
          row.hidden = !plain(row.textContent).toLowerCase().includes(wanted);
          shown += !row.hidden;
        }
        told.textContent = wanted ? `${shown} of ${rows.length} rows` : "";
      });
      bar.append(search, told);
    }
    bar.append(copier(named(list), () => [shownRows(table)]));
    return bar;
  }
  for (const list of document.querySelectorAll(".list")) {
    const table = list.querySelector("table");
    if (table === null || table.tHead === null) continue;
    if (!table.classList.contains("matrix")) sortable(table); // its rows stand in the order of its columns
    (list.querySelector(".scroll") ?? table).before(tools(list, table));
  }

  function openLinked() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    for (let fold = target.closest("details"); fold !== null; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", openLinked);
  if (location.hash.length > 1) openLinked();
})();
