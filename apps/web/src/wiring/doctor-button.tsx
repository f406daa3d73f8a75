import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { Button, type ButtonProps } from "../ui/button.tsx";
import { paths } from "./paths.ts";

interface DoctorButtonProps extends Pick<ButtonProps, "size"> {
  /** Closes the dialog that the button is in. */
  readonly onLeave?: () => void;
  readonly children: ReactNode;
}

/** Opens the connection check, which starts at once. */
export function DoctorButton({ size = "sm", onLeave, children }: DoctorButtonProps) {
  const [, navigate] = useLocation();
  const open = (): void => {
    onLeave?.();
    navigate(paths.doctor.href);
  };
  return (
    <Button size={size} onClick={open}>
      {children}
    </Button>
  );
}
