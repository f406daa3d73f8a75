import { Component, type ReactNode } from "react";
import { ErrorPage } from "./error-page.tsx";

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/** Shows what stopped a page, in its place; Reset draws the page anew. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ErrorPage error={error} onReset={() => this.setState({ error: null })} />;
  }
}
