/** Whether this browser saves a file that is dragged out of its window: Chromium does, if there is a mouse. */
export function dragsFilesOut(): boolean {
  return "userAgentData" in navigator && matchMedia("(any-pointer: fine)").matches;
}
