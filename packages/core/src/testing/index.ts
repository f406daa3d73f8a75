export { describeFileStorage } from "./contracts/describe-file-storage.ts";
export { describeRecordStorage } from "./contracts/describe-record-storage.ts";
