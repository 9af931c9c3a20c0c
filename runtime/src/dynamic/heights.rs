//! How many objects stand in one another, references followed.

/// What is known of the nodes of the graph of references: the root is the first, then come the definitions.
#[derive(Debug, Default)]
pub(super) struct Heights {
    nodes: Vec<Node>,
    /// The node that was begun last.
    last: usize,
    /// The references of all nodes, one node after the other.
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// How many objects stand in one another, references not followed.
    own: usize,
    /// Where its references begin and end.
    links: (usize, usize),
}

#[derive(Debug, Clone, Copy)]
struct Link {
    to: usize,
    /// How many objects of its node it stands in.
    above: usize,
}

impl Heights {
    /// A node begins.
    pub(super) fn begin(&mut self, node: usize) {
        if node >= self.nodes.len() {
            self.nodes.resize(node + 1, Node::default());
        }
        self.nodes[node].links = (self.links.len(), self.links.len());
        self.last = node;
    }

    /// Objects of the node that was begun last stand so many in one another.
    pub(super) fn reach(&mut self, height: usize) {
        let node = &mut self.nodes[self.last];
        node.own = node.own.max(height);
    }

    /// A reference stands in so many objects of the node that was begun last.
    pub(super) fn refers(&mut self, to: usize, above: usize) {
        self.reach(above);
        self.links.push(Link { to, above });
        self.nodes[self.last].links.1 = self.links.len();
    }

    /// Where the references of the node lead that was begun last.
    pub(super) fn references(&self) -> impl Iterator<Item = usize> {
        let (from, to) = self.nodes[self.last].links;
        self.links[from..to].iter().map(|link| link.to)
    }

    /// The height of the root. No path enters a node that it is in.
    pub(super) fn of_root(&self) -> usize {
        if self.nodes.is_empty() {
            return 0;
        }
        // Nothing for nodes that were not seen, 0 for those on the path. From the root on, for of nodes that lead to one
        // another the first has the others in it.
        let mut known = vec![None; self.nodes.len()];
        let mut path = Vec::new();
        let enter = |node: usize, path: &mut Vec<_>, known: &mut [Option<usize>]| {
            known[node] = Some(0);
            path.push((node, self.nodes[node].links.0, self.nodes[node].own));
        };
        enter(0, &mut path, &mut known);
        while let Some((node, next, height)) = path.last_mut() {
            if *next == self.nodes[*node].links.1 {
                known[*node] = Some(*height);
                path.pop();
                continue;
            }
            let Link { to, above } = self.links[*next];
            // `#` is the root, which is in itself.
            match if to == 0 { Some(0) } else { known[to] } {
                Some(inner) => {
                    *height = (*height).max(above + inner);
                    *next += 1;
                }
                None => enter(to, &mut path, &mut known),
            }
        }
        known[0].unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heights of nodes, each with its own height and its links.
    fn height(nodes: &[(usize, &[(usize, usize)])]) -> usize {
        let mut heights = Heights::default();
        for (node, (own, links)) in nodes.iter().enumerate() {
            heights.begin(node);
            heights.reach(*own);
            for (to, above) in *links {
                heights.refers(*to, *above);
            }
        }
        heights.of_root()
    }

    #[test]
    fn references_are_followed_and_no_path_goes_round() {
        assert_eq!(height(&[]), 0);
        assert_eq!(height(&[(2, &[])]), 2);
        assert_eq!(height(&[(1, &[(1, 1), (2, 0)]), (1, &[(2, 1)]), (3, &[])]), 5);
        // Back to the definition, and to the root.
        assert_eq!(height(&[(1, &[(1, 1)]), (2, &[(1, 2), (0, 1)])]), 3);
        // Two that lead to one another: the second stands in the first.
        assert_eq!(height(&[(1, &[(1, 1)]), (1, &[(2, 1)]), (3, &[(1, 1)])]), 5);
    }

    #[test]
    fn long_chains_are_no_matter_in_which_order_they_stand() {
        let count = 100_000;
        let mut heights = Heights::default();
        heights.begin(0);
        heights.refers(count, 0);
        for node in 1..=count {
            heights.begin(node);
            heights.reach(1);
            if node > 1 {
                heights.refers(node - 1, 1);
            }
        }
        assert_eq!(heights.of_root(), count);
    }
}
