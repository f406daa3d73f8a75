import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
});

afterEach(() => {
  vi.useRealTimers();
});

const load = () => import("./register-service-worker.ts");

function workersThat(register: () => Promise<ServiceWorkerRegistration>): ServiceWorkerContainer {
  return { register } as Partial<ServiceWorkerContainer> as ServiceWorkerContainer;
}

test("a page that has cleared the cache registers nothing that would fill it again", async () => {
  const { registerServiceWorker, stopRegistering } = await load();
  const register = vi.fn();
  await stopRegistering();
  await expect(registerServiceWorker(workersThat(register))).rejects.toThrow("cleared");
  expect(register).not.toHaveBeenCalled();
});

test("clearing waits for a registration that has begun, and finds it", async () => {
  const { registerServiceWorker, stopRegistering } = await load();
  const order: string[] = [];
  let resolve = (_registration: ServiceWorkerRegistration): void => {};
  const promise = new Promise<ServiceWorkerRegistration>((settle) => {
    resolve = settle;
  });
  const registering = registerServiceWorker(workersThat(() => promise)).then(() => order.push("registered"));
  const stopping = stopRegistering().then(() => order.push("stopped"));
  await Promise.resolve();
  expect(order).toEqual([]);
  resolve({} as ServiceWorkerRegistration);
  await Promise.all([registering, stopping]);
  expect(order.sort()).toEqual(["registered", "stopped"]);
});

test("clearing goes on where the browser refuses to register", async () => {
  const { registerServiceWorker, stopRegistering } = await load();
  const refused = registerServiceWorker(workersThat(() => Promise.reject(new Error("no"))));
  await expect(refused).rejects.toThrow("no");
  await stopRegistering();
});

test("clearing goes on where the browser never answers a registration", async () => {
  vi.useFakeTimers();
  const { registerServiceWorker, stopRegistering } = await load();
  void registerServiceWorker(workersThat(() => new Promise(() => {})));
  const onStopped = vi.fn();
  void stopRegistering().then(onStopped);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(onStopped).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onStopped).toHaveBeenCalledOnce();
});
