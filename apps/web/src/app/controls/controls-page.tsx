import type { FileMessage, Offer } from "@warren/core";
import { Fragment, type ReactNode, useState } from "react";
import { Logo, Wordmark } from "../../brand/logo.tsx";
import { Passage } from "../../brand/passage.tsx";
import { FileCard } from "../../files/card/file-card.tsx";
import { Avatar } from "../../people/avatar.tsx";
import { StatusDot } from "../../people/status-dot.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { Badge, Tag } from "../../ui/badge.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button, GuardedButton } from "../../ui/button.tsx";
import { Collapsible } from "../../ui/collapsible.tsx";
import { Dot } from "../../ui/dot.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Checkbox, CheckLine } from "../../ui/fields/checkbox.tsx";
import { FilterChips } from "../../ui/fields/filter-chips.tsx";
import { PasswordField } from "../../ui/fields/password-field.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { Segmented } from "../../ui/fields/segmented.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Slider } from "../../ui/fields/slider.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { FieldBox, FieldError, FieldInput, TextField } from "../../ui/fields/text-field.tsx";
import { FloatingBanners } from "../../ui/floating-banners.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import * as icons from "../../ui/icons.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import {
  ContextMenu,
  Menu,
  MenuCheck,
  MenuChoice,
  MenuItem,
  MenuSeparator,
} from "../../ui/overlays/menu.tsx";
import { OverDialogs } from "../../ui/overlays/over-dialogs.tsx";
import { Popover } from "../../ui/overlays/popover.tsx";
import { Tooltip } from "../../ui/overlays/tooltip.tsx";
import { ProgressBar, ProgressRing } from "../../ui/progress.tsx";
import { LeafSpinner, Spinner } from "../../ui/spinner.tsx";
import { HighlightContext, Highlighted } from "../../ui/text/highlighted.tsx";
import { MiddleEllipsis } from "../../ui/text/middle-ellipsis.tsx";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { ThemeChoice } from "../../wiring/preferences/theme-choice.tsx";
import { toast } from "../../wiring/toast.ts";

const { AlertIcon, BellIcon, DeleteIcon, FilesIcon, InfoIcon, MoreIcon, PeopleIcon } = icons;

/** Every control in every state. In development only, so its words are in no other language. */
export default function ControlsPage() {
  return (
    <div className="min-w-0 flex-1 overflow-y-auto bg-surface p-6 text-body">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-display">Controls</h1>
        <ThemeChoice />
      </div>
      {controls.map(([title, states]) => (
        <section key={title} aria-label={title} className="border-line border-t py-5">
          <h2 className="mb-3 text-heading-sm">{title}</h2>
          <div className="flex flex-wrap items-center gap-4">{states}</div>
        </section>
      ))}
    </div>
  );
}

interface StatefulProps<Value> {
  readonly initial: Value;
  readonly children: (value: Value, setValue: (value: Value) => void) => ReactNode;
}

/** A control that is controlled from outside, as on every other page. */
function Stateful<Value>({ initial, children }: StatefulProps<Value>) {
  const [value, setValue] = useState(initial);
  return children(value, setValue);
}

const nothing = (): void => {};
const sizes = [
  { value: "small", label: "Small" },
  { value: "large", label: "Large" },
];

function ExampleDialog({ dialog }: DialogSlot<null>) {
  return (
    <Dialog dialog={dialog} title="Delete 3 files?" description="They cannot be restored." closable>
      <p className="mt-2">The content of a dialog.</p>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          Cancel
        </Button>
        <Button variant="danger" icon={DeleteIcon} onClick={() => dialog.submit(null)}>
          Delete
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** Shown over the dialog while that is open. */
function OverDialogExample() {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Button
        onClick={() => {
          setShown(true);
          void openDialog(ExampleDialog, {}).then(() => setShown(false));
        }}
      >
        Dialog with something over it
      </Button>
      {isShown && (
        <OverDialogs>
          <p className="fixed inset-x-3 top-3 z-over-dialogs mx-auto w-fit rounded-menu bg-raised p-3 shadow-menu">
            Over the dialog
          </p>
        </OverDialogs>
      )}
    </>
  );
}

const menuItems = (
  <>
    <MenuItem icon={FilesIcon} shortcut="Ctrl F" onSelect={nothing}>
      With an icon and keys
    </MenuItem>
    <MenuItem onSelect={nothing}>Plain</MenuItem>
    <MenuSeparator />
    <MenuItem icon={DeleteIcon} danger onSelect={nothing}>
      Delete
    </MenuItem>
  </>
);

const stored: readonly Offer[] = [
  { state: "offered" },
  { state: "accepted" },
  { state: "queuedThere" },
  { state: "pausedHere" },
  { state: "pausedThere" },
  { state: "needsSource" },
  { state: "needsSpace" },
  { state: "complete" },
  { state: "declined" },
  { state: "withdrawn" },
  { state: "givenUp" },
  { state: "failed", error: { code: "transfer-stalled", values: {} } },
];

function fileOf(offer: Offer, sender: "theirs" | "mine"): FileMessage {
  const id = `${sender}-${offer.state}`;
  return {
    ...{ key: `${sender}/${id}`, id, type: "file", conversation: "example", client: sender },
    ...{ createdAt: 0, sortedAt: 0, deliveries: {}, offers: { example: offer } },
    file: {
      ...{ fid: `example-${id}`, fileName: "interview_A-cam_day-3_graded.mov", fileSize: 2.4 * 2 ** 30 },
      ...{ mimeType: "video/quicktime", lastModified: 0, chunkSize: 524_288 },
    },
  };
}

/** A row for each group of controls, by the names of their components. */
const controls: readonly (readonly [title: string, states: ReactNode])[] = [
  [
    "Button",
    (["primary", "secondary", "ghost", "danger-text", "danger"] as const).map((variant) => (
      <Fragment key={variant}>
        {(["sm", "md", "lg"] as const).map((size) => (
          <Button key={size} variant={variant} size={size}>
            {variant}
          </Button>
        ))}
        <Button variant={variant} icon={BellIcon}>
          Icon
        </Button>
        <Button variant={variant} loading>
          Loading
        </Button>
        <Button variant={variant} icon={BellIcon} loading>
          Icon, loading
        </Button>
        <GuardedButton variant={variant} disabledReason="Nobody is here">
          Disabled
        </GuardedButton>
      </Fragment>
    )),
  ],
  ["BackLink", <BackLink key="back" to="/" label="Back" />],
  [
    "IconButton",
    <>
      <IconButton icon={MoreIcon} label="Small" size="sm" />
      <IconButton icon={MoreIcon} label="Plain" shortcut="Ctrl M" />
      <IconButton icon={MoreIcon} label="Pressed" aria-pressed />
      <IconButton icon={MoreIcon} label="Primary" tone="primary" />
      <IconButton icon={MoreIcon} label="Disabled" disabledReason="Nobody is here" />
    </>,
  ],
  [
    "TextField, PasswordField, SearchField",
    <>
      <TextField label="Empty" placeholder="Placeholder" />
      <TextField label="With a hint" aside="optional" hint="One line below the field" defaultValue="Text" />
      <TextField label="With an error" error="This name is taken" defaultValue="Text" />
      <TextField label="Too long" maxLength={3} value="Text" onChange={nothing} />
      <TextField label="Large" large defaultValue="Text" />
      <TextField label="Disabled" disabled defaultValue="Text" />
      <PasswordField label="Password" defaultValue="secret" />
      <Stateful initial="mara">
        {(value, setValue) => <SearchField label="Search" value={value} onChange={setValue} />}
      </Stateful>
    </>,
  ],
  [
    "FieldBox, FieldInput, FieldError",
    <div key="box" className="flex w-72 flex-col gap-1.5">
      <FieldBox invalid>
        <FieldInput aria-label="Invalid" defaultValue="Text" />
      </FieldBox>
      <FieldError>What is wrong, in one sentence</FieldError>
    </div>,
  ],
  [
    "Select, Segmented, FilterChips",
    <Stateful key="choice" initial="small">
      {(value, setValue) => (
        <>
          <Select aria-label="Size" value={value} options={sizes} onChange={setValue} className="w-40" />
          <Segmented label="Size" value={value} options={sizes} onChange={setValue} />
          <FilterChips
            label="Size"
            value={value}
            chips={sizes.map((each, index) => ({ ...each, count: 12 * index }))}
            onChange={setValue}
          />
        </>
      )}
    </Stateful>,
  ],
  [
    "Checkbox, CheckLine, Switch",
    <>
      <Stateful initial={true}>
        {(value, setValue) => (
          <>
            <Checkbox aria-label="Checkbox" checked={value} onChange={setValue} />
            <CheckLine checked={value} onChange={setValue}>
              With its sentence
            </CheckLine>
            <Switch aria-label="Switch" checked={value} onChange={setValue} />
          </>
        )}
      </Stateful>
      <Checkbox aria-label="Mixed" checked="mixed" onChange={nothing} />
      <Checkbox aria-label="Disabled" checked disabled onChange={nothing} />
      <Switch aria-label="Off" checked={false} onChange={nothing} />
      <Switch aria-label="Fixed" checked isFixed onChange={nothing} />
    </>,
  ],
  [
    "Slider",
    <Stateful key="slider" initial={40}>
      {(value, setValue) => (
        <Slider
          {...{ value, min: 0, max: 100, step: 10 }}
          text={`${value}%`}
          aria-label="Volume"
          onChange={setValue}
        />
      )}
    </Stateful>,
  ],
  [
    "Menu, ContextMenu",
    <>
      <Menu trigger={<Button>Menu</Button>}>
        {menuItems}
        <MenuSeparator />
        <MenuCheck checked onChange={nothing}>
          Checked
        </MenuCheck>
        <MenuChoice label="Size" value="small" options={sizes} onChange={nothing} />
      </Menu>
      <ContextMenu find={() => ({ id: "row", labelledBy: "context-row" })} items={() => menuItems}>
        <p id="context-row" className="rounded-control bg-sunken px-3 py-2">
          Right-click or press for long
        </p>
      </ContextMenu>
    </>,
  ],
  [
    "Popover, Tooltip",
    <>
      <Popover trigger={<Button>Popover</Button>} label="Panel">
        A panel beside its button
      </Popover>
      <Tooltip text="What it does" keys="Ctrl T">
        <button type="button">Tooltip</button>
      </Tooltip>
    </>,
  ],
  [
    "Dialog",
    <>
      <Button onClick={() => void openDialog(ExampleDialog, {})}>Dialog</Button>
      <OverDialogExample />
    </>,
  ],
  [
    "Toasts",
    (["success", "info", "warning", "error", "loading"] as const).map((kind) => (
      <Button
        key={kind}
        onClick={() =>
          toast[kind](`A toast: ${kind}`, {
            id: kind,
            description: "One line more",
            action: { label: "Action", onClick: nothing },
          })
        }
      >
        {kind}
      </Button>
    )),
  ],
  [
    "Banner, FloatingBanners",
    <div key="banners" className="w-full">
      {(["accent", "warn", "danger"] as const).map((tone) => (
        <Banner key={tone} tone={tone} icon={AlertIcon} action={<Button size="sm">Action</Button>}>
          What is so until it is not: {tone}
        </Banner>
      ))}
      <div className="mt-2 h-20 bg-sunken">
        <FloatingBanners className="top-0">
          <Banner tone="warn" icon={InfoIcon}>
            Over what it is about
          </Banner>
        </FloatingBanners>
      </div>
    </div>,
  ],
  [
    "EmptyState",
    <EmptyState key="empty" icon={PeopleIcon} title="Nobody is here" action={<Button>Invite</Button>}>
      Pass on the link of the room.
    </EmptyState>,
  ],
  [
    "Collapsible",
    <Collapsible key="collapsible" title="For few people">
      Behind a button
    </Collapsible>,
  ],
  [
    "Avatar, StatusDot",
    (["online", "connecting", "reconnecting", "offline"] as const).map((status) => (
      <Fragment key={status}>
        <Avatar id={status} name="Mara Lindqvist" status={status} />
        <StatusDot status={status} />
        {status}
      </Fragment>
    )),
  ],
  [
    "Badge, Tag, Kbd, Dot",
    <>
      <Badge count={3} label="3 unread messages" />
      <Badge count={1_234} label="1,234 unread messages" />
      {(["plain", "accent", "warn", "danger"] as const).map((tone) => (
        <Tag key={tone} tone={tone}>
          {tone}
        </Tag>
      ))}
      <Kbd>Ctrl K</Kbd>
      <span>
        One fact
        <Dot />
        another
      </span>
    </>,
  ],
  [
    "ProgressBar, ProgressRing, Spinner, LeafSpinner",
    <>
      {(["accent", "off", "danger"] as const).map((tone) => (
        <ProgressBar key={tone} value={0.4} tone={tone} label={tone} valueText="40%" className="w-40" />
      ))}
      <ProgressRing value={0.4} label="Ring" valueText="40%" />
      <ProgressRing value={0.75} size={18} />
      <Spinner />
      <LeafSpinner />
    </>,
  ],
  [
    "MiddleEllipsis, Highlighted",
    <>
      <MiddleEllipsis text="interview_A-cam_day-3_graded.mov" className="w-40" />
      <HighlightContext value={["grad"]}>
        <span>
          <Highlighted text="interview_graded.mov" />
        </span>
      </HighlightContext>
    </>,
  ],
  [
    "Logo, Wordmark, Passage",
    <>
      <Logo />
      <Wordmark />
      <Passage from={<Avatar id="mara" name="Mara Lindqvist" size={52} />} to={<PeopleIcon size={22} />} />
      <Passage from={<Avatar id="mara" name="Mara Lindqvist" size={44} />} opening={44} />
    </>,
  ],
  [
    "Icons",
    Object.entries(icons).map(([name, Glyph]) => (
      <span key={name} title={name} className="inline-flex">
        <Glyph size={18} />
      </span>
    )),
  ],
  ...(["theirs", "mine"] as const).map(
    (sender) =>
      [
        `FileCard, ${sender}`,
        // Nothing can be done with files that there are not.
        <div key={sender} inert className="flex flex-wrap gap-4">
          {stored.map((offer) => (
            <div key={offer.state}>
              <p className="mb-1 text-meta text-text-3">{offer.state}</p>
              <FileCard message={fileOf(offer, sender)} isMine={sender === "mine"} onDelete={nothing} />
            </div>
          ))}
        </div>,
      ] as const,
  ),
];
