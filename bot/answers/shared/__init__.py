"""What two or more kinds of answer need."""
