/** Notes what the worker that reads codes is asked and answers: how wide the picture was, how many ms it took, and whether it had a code. */
/** @type {(readonly [number, number, boolean])[]} */
const noted = [];
Object.assign(globalThis, { readings: noted });
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function postAndNote(message, ...rest) {
  if (message instanceof ImageData) {
    const { width } = message;
    const askedAt = performance.now();
    this.addEventListener(
      "message",
      ({ data }) => noted.push([width, performance.now() - askedAt, typeof data === "string"]),
      { once: true },
    );
  }
  return Reflect.apply(post, this, [message, ...rest]);
};
