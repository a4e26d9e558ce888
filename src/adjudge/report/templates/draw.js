"use strict";
(async () => {
  const options = {
    // Expressions are interpreted, not compiled, so the page's policy need not allow eval.
    ast: true,
    renderer: "svg",
    mode: "vega-lite",
    actions: { export: { svg: true, png: true }, source: false, compiled: false, editor: false },
    downloadFileName: "adjudge-chart",
  };
  function fitPhone(config) {
    config.axisY.labelLimit = 96;
    config.axis.tickCount = 4;
    config.legend.columns = 2;
    config.legend.labelLimit = 110;
  }
  for (const place of document.querySelectorAll(".chart")) {
    try {
      const spec = JSON.parse(place.querySelector("script").textContent);
      if (place.clientWidth < 480) fitPhone(spec.config);
      await window.vegaEmbed(place, spec, options);
    } catch (error) {
      place.textContent = "This chart could not be drawn.";
      console.error(error);
    }
  }
  document.documentElement.dataset.drawn = "yes";
})();
