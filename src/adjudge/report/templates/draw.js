"use strict";
// A chart is drawn when its fold opens, in the colours of the page, and can be taken as SVG, PNG or CSV.
(() => {
  const options = {
    // Expressions are interpreted, not compiled, so the page's policy need not allow eval.
    ast: true,
    renderer: "svg",
    mode: "vega-lite",
    actions: false,
    tooltip: { theme: "page" },
  };
  function fitPhone(config) {
    config.axisY.labelLimit = 96;
    config.axis.tickCount = 4;
    config.legend.columns = 2;
    config.legend.labelLimit = 110;
  }
  // A screen reader hears one sentence for a chart; its numbers are in tables.
  function named(svg, description) {
    for (const part of svg.querySelectorAll("[role], [aria-label], [aria-roledescription]")) {
      for (const name of ["role", "aria-label", "aria-roledescription"]) part.removeAttribute(name);
    }
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", description);
  }
  async function draw(place) {
    if (place.dataset.drawn) return;
    place.dataset.drawn = "begun";
    try {
      const spec = JSON.parse(place.querySelector("script").textContent);
      if (place.clientWidth < 480) fitPhone(spec.config);
      const { view } = await window.vegaEmbed(place, spec, options);
      named(place.querySelector("svg"), spec.description);
      place.dataset.drawn = "yes";
      place.before(savers(place, view));
    } catch (error) {
      place.textContent = "This chart could not be drawn.";
      place.dataset.drawn = "failed";
      console.error(error);
    }
  }

  // A picture that leaves the page takes its colours along.
  function picture(place) {
    const svg = place.querySelector("svg").cloneNode(true);
    const style = getComputedStyle(document.documentElement);
    svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    svg.style.background = style.getPropertyValue("--ground");
    return new XMLSerializer().serializeToString(svg).replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  }
  function save(address, ending) {
    const link = document.createElement("a");
    link.href = address;
    link.download = `adjudge-chart.${ending}`;
    link.click();
  }
  const saving = {
    SVG(place) {
      save(URL.createObjectURL(new Blob([picture(place)], { type: "image/svg+xml" })), "svg");
    },
    PNG(place) {
      const image = new Image();
      image.onload = () => {
        const canvas = document.createElement("canvas");
        canvas.width = 2 * image.width;
        canvas.height = 2 * image.height;
        const context = canvas.getContext("2d");
        context.scale(2, 2);
        context.drawImage(image, 0, 0);
        save(canvas.toDataURL("image/png"), "png");
      };
      image.src = `data:image/svg+xml,${encodeURIComponent(picture(place))}`;
    },
  };
  // Vega tells of nothing that it is "null"; a label may be called so, too.
  const said = (text, datum) => (text === "null" && !Object.values(datum).includes(text) ? "" : String(text));
  function* pointed(part) {
    if (part.tooltip) yield Object.fromEntries(Object.entries(part.tooltip).map(([name, text]) => [name, said(text, part.datum)]));
    for (const item of part.items ?? []) yield* pointed(item);
  }
  // What pointing at a picture tells, place by place: a table of each kind of place, one that tells less among others.
  function numbers(view) {
    const places = [...pointed(view.scenegraph().root)];
    const kinds = [...new Map(places.map((one) => [Object.keys(one).join("\n"), Object.keys(one)])).values()];
    const within = (few, many) => few.every((name) => many.includes(name));
    const heads = kinds.filter((one) => !kinds.some((other) => other.length > one.length && within(one, other)));
    const first = (one) => heads.find((names) => within(Object.keys(one), names));
    return heads.map((names) => {
      const rows = places.filter((one) => first(one) === names).map((one) => names.map((name) => one[name] ?? ""));
      return [names, ...rows];
    });
  }
  function savers(place, view) {
    const bar = document.createElement("div");
    bar.className = "tools";
    const title = place.closest("figure").querySelector("h3").textContent.trim();
    for (const [name, run] of Object.entries(saving)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.setAttribute("aria-label", `Save as ${name}: ${title}`);
      button.addEventListener("click", () => run(place));
      bar.append(button);
    }
    bar.append(window.adjudge.copier(title, () => numbers(view)));
    return bar;
  }

  async function drawInside(fold) {
    for (const place of fold.querySelectorAll(".chart")) await draw(place);
    fold.dataset.drawn = "yes";
  }
  for (const fold of document.querySelectorAll("details.fold")) {
    fold.addEventListener("toggle", () => { if (fold.open) drawInside(fold); });
    if (fold.open) drawInside(fold);
  }
})();
