/** Whether this browser saves downloads without asking: those of iPhones and iPads ask each time. */
export function savesUnasked(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad calls itself a Mac, and no Mac has a touch screen.
  return !/iPad|iPhone|iPod/.test(userAgent) && !(userAgent.includes("Macintosh") && maxTouchPoints > 1);
}
