import { Component, type ReactNode } from 'react'
import { ErrorBox } from './states.tsx'

interface BoundaryProps {
  children: ReactNode
  /** What is shown in the place of what failed; without it, what went wrong. */
  instead?: ReactNode
}

/** Keeps one part's failure to itself: the rest goes on, and the part can be tried again. */
export class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    if (this.props.instead !== undefined) return this.props.instead
    return <ErrorBox error={this.state.error} retry={() => this.setState({ error: undefined })} />
  }
}
