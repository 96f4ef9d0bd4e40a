/**
 * Time in ms for which a press of the button is ignored once the page comes to the front: it may be the second half of a
 * double click that was meant for a window in front of it, which its site closed in between ("double clickjacking").
 */
const GUARD_MS = 500;

/**
 * Ignores submits of a form in the first moments after it is shown or its window gets the focus. Call it before other
 * listeners are added.
 *
 * @param {HTMLFormElement} form
 * @returns {() => void} starts the time anew, when the form is shown
 */
export function guardSubmit(form) {
  const button = form.querySelector('button[type=submit]');
  let timer = 0;
  const guard = () => {
    // A disabled button would lose the focus.
    button?.setAttribute('aria-disabled', 'true');
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = 0;
      button?.removeAttribute('aria-disabled');
    }, GUARD_MS);
  };
  form.addEventListener('submit', (event) => {
    if (timer === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  window.addEventListener('focus', guard);
  document.addEventListener('visibilitychange', guard);
  return guard;
}
