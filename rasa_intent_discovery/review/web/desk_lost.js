// When the desk does not answer: the page stays as it is, a banner says so, and it is asked until it answers again.

review.lost = (() => {
  const { $, h } = review.dom;
  const { model, refresh } = review.model;

  const AGAIN = 2000; // milliseconds until it is asked again

  let back = () => {}; // what is done when it answers again, given whether the drafts were changed
  let timer = 0;

  function words(error) {
    if (error.status === 403) return "The desk was started anew, and does not know this page. Open the page that it has opened or printed, in this browser: then this one goes on as well.";
    if (error.status) return `${error.message}. Nothing can be decided until that is mended: this page asks again by itself.`;
    return `The desk does not answer, so nothing can be decided. Start it again, with the same folder: rasa discover-intents review --port ${location.port}. This page then goes on by itself.`;
  }

  function begin(error, after) {
    back = after;
    model.lost = true;
    document.body.classList.add("lost");
    const said = words(error);
    if ($("lost").textContent !== said) $("lost").replaceChildren(h("p", { class: "notice" }, said));
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
    model.lost = false;
    document.body.classList.remove("lost");
    $("lost").replaceChildren();
    back(changed);
  }

  return { begin, again };
})();
