// Runs the discovery again with what was answered and decided, and shows how far it is.

review.regroup = (() => {
  const { $ } = review.dom;
  const { ask, model, post, refresh } = review.model;
  const { fail, say } = review.show;

  const EVERY = 700; // milliseconds between two looks at the run
  const SECOND = 1000; // milliseconds

  const STAGE = /^(.*?)(: [^:]*(?:so far|left))$/; // and how far it is, as in progress.py

  const dialog = $("regroup");
  let isRunning = false;

  function open() {
    if (model.readOnly || !model.again) return;
    $("regroup-command").textContent = model.again;
    if (!isRunning) tell("");
    if (!dialog.open) dialog.showModal();
    (isRunning ? $("regroup-close") : $("regroup-ok")).focus();
  }

  // Who listens hears each stage once: how long it takes is beside it.
  function tell(says) {
    const [, stage, rest] = (isRunning && says.match(STAGE)) || [says, says, ""];
    if ($("regroup-says").textContent !== stage) $("regroup-says").textContent = stage;
    $("regroup-rest").textContent = rest;
    if (isRunning && document.activeElement === $("regroup-ok")) $("regroup-close").focus(); // the other one cannot keep it
    $("regroup-ok").disabled = isRunning;
    $("regroup-close").textContent = isRunning ? "Close, it goes on" : "Close";
  }

  async function run() {
    if (isRunning) return;
    isRunning = true;
    tell("The run is being started ...");
    const stop = count();
    try {
      let { status, body } = await ask("api/again", post({ start: true }));
      while (status === 200 && body.again?.running) {
        tell(body.again.says);
        await new Promise((done) => { setTimeout(done, EVERY); });
        ({ status, body } = await ask("api/again", post({})));
      }
      isRunning = false;
      await ended(status === 200 ? body.again : { fine: false, says: body.error });
    } catch (error) {
      isRunning = false;
      dialog.close();
      fail(error);
    } finally {
      stop();
    }
  }

  // Shows that the run works, and for how long, while it says nothing; returns what ends that.
  function count() {
    const began = Date.now();
    const show = () => { $("regroup-since").textContent = `${Math.round((Date.now() - began) / 1000)} s`; };
    show();
    $("regroup-works").hidden = false;
    const each = setInterval(show, SECOND);
    return () => {
      clearInterval(each);
      $("regroup-works").hidden = true;
    };
  }

  async function ended({ fine, says }) {
    tell(says);
    if (!fine) {
      if (!dialog.open) say(says, false, true);
      return;
    }
    history.replaceState(null, "", `${location.pathname}#overview`);
    await refresh(); // the page is loaded again where the run is another one
  }

  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });

  return { open };
})();
