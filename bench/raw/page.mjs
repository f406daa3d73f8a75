/** One end of a bare connection: the driver of the page exchanges the descriptions. */
/** @type {RTCPeerConnection} */
let connection;
const worker = new Worker("/worker.mjs", { type: "module" });
const outcome = new Promise((resolve) => {
  worker.addEventListener("message", ({ data }) => resolve(data), { once: true });
});

/** @param {RTCDataChannel} channel @param {string} role @param {number} totalBytes */
function handOver(channel, role, totalBytes) {
  // The types do not include transferable channels yet.
  worker.postMessage({ channel, role, totalBytes }, /** @type {any} */ ([channel]));
}

async function gathered() {
  if (connection.iceGatheringState !== "complete") {
    await new Promise((resolve) => {
      connection.addEventListener("icegatheringstatechange", () => {
        if (connection.iceGatheringState === "complete") resolve(undefined);
      });
    });
  }
  return connection.localDescription?.toJSON();
}

Object.assign(globalThis, {
  raw: {
    /** @param {number} totalBytes @param {RTCConfiguration} configuration */
    async offer(totalBytes, configuration) {
      connection = new RTCPeerConnection(configuration);
      const channel = connection.createDataChannel("raw", { ordered: false });
      handOver(channel, "send", totalBytes);
      await connection.setLocalDescription();
      return gathered();
    },
    /** @param {RTCSessionDescriptionInit} offer @param {number} totalBytes @param {RTCConfiguration} configuration */
    async answer(offer, totalBytes, configuration) {
      connection = new RTCPeerConnection(configuration);
      connection.addEventListener("datachannel", ({ channel }) => handOver(channel, "receive", totalBytes));
      await connection.setRemoteDescription(offer);
      await connection.setLocalDescription();
      return gathered();
    },
    /** @param {RTCSessionDescriptionInit} answer */
    accept: (answer) => connection.setRemoteDescription(answer),
    outcome: () => outcome,
  },
});
