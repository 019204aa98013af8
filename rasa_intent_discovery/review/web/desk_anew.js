// When another run has taken the place of the drafts: the page is loaded again, but nothing that is being written is lost.

review.anew = (() => {
  const { $, h } = review.dom;

  const FIELD = "input:not([type=checkbox], [type=range])";
  const isInUse = () => document.querySelector("dialog[open]:not(#regroup)") !== null || document.activeElement?.matches(FIELD);

  // Whether the new drafts wait, because a field or a dialog is in use; a banner then offers them.
  function waits() {
    if (!isInUse()) return false;
    if (!$("anew").hasChildNodes()) {
      $("anew").append(h("p", { class: "notice" }, "The new drafts are there. ", h("button", { type: "button", on: { click: load } }, "Show them")));
    }
    return true;
  }

  function load() {
    history.replaceState(null, "", `${location.pathname}#overview`);
    location.reload();
  }

  return { waits };
})();
