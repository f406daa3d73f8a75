import { Route, Switch } from "wouter";
import { paths } from "../wiring/paths.ts";
import { ArrivalGate } from "./pages/arrival-gate.tsx";
import { ChatPage } from "./pages/chat-page.tsx";
import { CloseWindowPage } from "./pages/close-window-page.tsx";
import {
  CallPage,
  ControlsPage,
  ConversationPane,
  DoctorPage,
  FilesPage,
  SettingsPage,
  SharePage,
} from "./pages/lazy-pages.ts";
import { NotFoundPage } from "./pages/not-found-page.tsx";
import { Shell } from "./shell/shell.tsx";
import type { Startup } from "./startup/use-startup.ts";

/**
 * Maps an address to its page. The shell stays mounted across its pages, and the chat page across its
 * addresses, because a `Switch` renders every matching route in the same position.
 */
export function Routes({ startup }: { readonly startup: Startup }) {
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
