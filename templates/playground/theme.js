// Run before the page is drawn, so that it never flashes in the other colours.
"use strict";
(() => {
  const kept = localStorage.getItem("playground-theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
})();
