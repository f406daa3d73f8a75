import { Route, Switch } from "wouter";
import { lazy } from "../wiring/lazy.tsx";
import { paths } from "../wiring/paths.ts";
import { ArrivalGate } from "./pages/arrival-gate.tsx";
import { ChatPage } from "./pages/chat-page.tsx";
import { CloseWindowPage } from "./pages/close-window-page.tsx";
import { NotFoundPage } from "./pages/not-found-page.tsx";
import { Shell } from "./shell/shell.tsx";
import type { Startup } from "./startup/use-startup.ts";

const FilesPage = lazy(async () => (await import("../files/page/files-page.tsx")).FilesPage);
const SettingsPage = lazy(async () => (await import("../settings/settings-page.tsx")).SettingsPage);
const SharePage = lazy(async () => (await import("../share/share-page.tsx")).SharePage);
const CallPage = lazy(async () => (await import("../call/call-page.tsx")).CallPage);
const ConversationPane = lazy(async () => (await import("../chat/conversation-pane.tsx")).ConversationPane);
const DoctorPage = lazy(async () => (await import("../doctor/doctor-page.tsx")).DoctorPage);

/** No build for people has it. */
const ControlsPage = import.meta.env.DEV
  ? lazy(async () => (await import("./controls/controls-page.tsx")).ControlsPage)
  : null;

/**
 * Maps an address to its page. The shell stays mounted across its pages, and the chat page across its
 * addresses, because a `Switch` renders every matching route in the same position.
 */
export function Router({ startup }: { readonly startup: Startup }) {
  return (
    <Switch>
      <Route path={paths.closeWindow.path}>
        <CloseWindowPage />
      </Route>
      <Route>
        <ArrivalGate startup={startup}>
          <Shell>
            <Switch>
              <Route path={paths.home.path}>
                <ChatPage />
              </Route>
              <Route path={paths.room.path}>
                <ChatPage />
              </Route>
              <Route path={paths.chat.path}>
                <ChatPage />
              </Route>
              <Route path={paths.compare.path}>
                <ChatPage />
              </Route>
              <Route path={paths.files.path}>
                <FilesPage />
              </Route>
              <Route path={paths.share.path}>
                <SharePage />
              </Route>
              <Route path={paths.call.path}>
                <CallPage
                  conversation={(id, onClose) => (
                    <ConversationPane key={id} conversationId={id} onClose={onClose} />
                  )}
                />
              </Route>
              <Route path={paths.doctor.path}>
                <DoctorPage />
              </Route>
              <Route path={paths.settings.path}>
                <SettingsPage />
              </Route>
              {ControlsPage !== null && (
                <Route path={paths.controls.path}>
                  <ControlsPage />
                </Route>
              )}
              <Route>
                <NotFoundPage />
              </Route>
            </Switch>
          </Shell>
        </ArrivalGate>
      </Route>
    </Switch>
  );
}
