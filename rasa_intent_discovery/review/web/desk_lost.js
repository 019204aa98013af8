// When the desk does not answer: the page stays as it is, a banner says so, and it is asked until it answers again.

review.lost = (() => {
  const { $, h } = review.dom;
  const { model, refresh } = review.model;

  const AGAIN = 2000; // milliseconds until it is asked again

  let back = () => {}; // what is done when it answers again, given whether the drafts were changed
  let timer = 0;

  function words(error) {
    if (error.status === 403) return "The desk was started again, and each start has an address of its own. Open the one that it has printed, in this browser: this page then goes on by itself.";
    if (error.status) return `${error.message}. Nothing can be decided until that is mended: this page asks again by itself.`;
    return `The desk does not answer, so nothing can be decided. Start it again with the same command, and --port ${location.port}. Then open the address that it prints, in this browser: this page goes on by itself.`;
  }

  function why(error) {
    if (error.status === 403) return "The desk was started again";
    return error.status ? error.message : "The desk does not answer";
  }

  function begin(error, after) {
    back = after;
    model.lost = `${why(error)}: nothing was done.`;
    document.body.classList.add("lost");
    const said = words(error);
    if ($("lost").textContent !== said) {
      $("lost").replaceChildren(h("p", { class: "notice" }, said));
      $("toast").hidden = true; // what is said there was true before
    }
    clearTimeout(timer);
    timer = setTimeout(again, AGAIN);
  }

  async function again() {
    clearTimeout(timer);
    let changed = false;
    try {
      changed = await refresh();
    } catch (error) {
      begin(error, back);
      return;
    }
    model.lost = "";
    document.body.classList.remove("lost");
    $("lost").replaceChildren();
    back(changed);
  }

  return { begin, again };
})();
